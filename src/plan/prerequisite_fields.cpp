// What templates may name of all that is needed.
#include "plan/prerequisites.hpp"

namespace flexslice::schema {

namespace {

using namespace plan;
using enum Presence;

constexpr Field object_fields[] = {
    internal<&Object::noun>("noun", required),  internal<&Object::resource>("resource", required),
    internal<&Object::name>("name", required),  internal<&Object::keys>("keys"),
    internal<&Object::plain>("plain"),          internal<&Object::shared>("shared"),
    internal<&Object::namespaced>("namespaced")};

constexpr Field api_fields[] = {internal<&Api::version>("version", required),
                                internal<&Api::kinds>("kinds", required)};

constexpr Field minimum_fields[] = {internal<&Minimum::title>("title", required),
                                    internal<&Minimum::versions>("versions", required)};

constexpr Field controller_fields[] = {
    internal<&Controller::name>("name", required), internal<&Controller::site>("site", required),
    internal<&Controller::deployment>("deployment"), internal<&Controller::apis>("apis"),
    internal<&Controller::minimums>("minimums")};

constexpr Field version_fields[] = {internal<&ClusterVersion::version>("version", required),
                                    internal<&ClusterVersion::what>("what", required)};

constexpr Field quota_fields[] = {internal<&Quota::name>("name"),
                                  internal<&Quota::kind>("kind", required),
                                  internal<&Quota::metric>("metric"),
                                  internal<&Quota::id>("id"),
                                  internal<&Quota::family>("family"),
                                  internal<&Quota::unnamed>("unnamed"),
                                  internal<&Quota::region>("region", required),
                                  internal<&Quota::chips>("chips", required)};

constexpr Field reserved_chips_fields[] = {
    internal<&ReservedChips::name>("name", required), internal<&ReservedChips::project>("project"),
    internal<&ReservedChips::zone>("zone"), internal<&ReservedChips::chips>("chips", required)};

constexpr Field needed_fields[] = {internal<&Needed::bucket_driver>("bucketDriver"),
                                   internal<&Needed::access>("access"),
                                   internal<&Needed::quota>("quota"),
                                   internal<&Needed::reservation>("reservation"),
                                   internal<&Needed::versions>("versions"),
                                   internal<&Needed::controllers>("controllers"),
                                   internal<&Needed::name_space>("namespace"),
                                   internal<&Needed::tpu_webhook>("tpuWebhook"),
                                   internal<&Needed::ordinary_nodes>("ordinaryNodes"),
                                   internal<&Needed::objects>("objects"),
                                   internal<&Needed::buckets>("buckets")};

}  // namespace

const Table TableOf<Object>::table{"object", object_fields};
const Table TableOf<Api>::table{"api", api_fields};
const Table TableOf<Minimum>::table{"minimum", minimum_fields};
const Table TableOf<Controller>::table{"controller", controller_fields};
const Table TableOf<ClusterVersion>::table{"version", version_fields};
const Table TableOf<Quota>::table{"quota", quota_fields};
const Table TableOf<ReservedChips>::table{"reservation", reserved_chips_fields};
const Table TableOf<Needed>::table{"needed", needed_fields};

}  // namespace flexslice::schema
