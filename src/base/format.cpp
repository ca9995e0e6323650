// libfmt's definitions, instantiated once: Debian has no static library of it.
#define FMT_STATIC_THOUSANDS_SEPARATOR ','  // no locale
#include <fmt/format-inl.h>

namespace fmt::detail {
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
template void vformat_to(buffer<char>&, string_view, basic_format_args<format_context>, locale_ref);
}  // namespace fmt::detail
