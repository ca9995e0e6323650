#include "backend/picture/picture.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "backend/picture/host_grid.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "catalog/topology.hpp"
#include "resolve/workload_names.hpp"

namespace flexslice::picture {

namespace {

using plan::Plan;
using text::count;

// Pixels.
constexpr int chip = 16;
constexpr int chip_height = 24;
constexpr int spacing = 4;
constexpr int pad = 8;
constexpr int line = 15;
constexpr int between = 14;
constexpr int margin = 24;
constexpr int widest = 1120;
constexpr std::int64_t most_chips = 1024, most_hosts = 256;  // drawn
constexpr std::int64_t most_named = 16;  // hosts of a slice whose boxes have room for names
constexpr double letter = 6.6;           // the width of a letter of 11 pixels, at most
constexpr double bold_letter = 7.2;

constexpr std::string_view style =
    "svg{background:#ffffff;font:11px system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu "
    "Sans',sans-serif}"
    "text{fill:#1b2430}.big{font-size:20px;font-weight:600}.bold{font-weight:600}"
    ".soft{fill:#455063}.mono{font-family:ui-monospace,'DejaVu Sans Mono',monospace}"
    ".zone{fill:#f6f8fb;stroke:#8593a8;stroke-dasharray:5 4}"
    ".pool{fill:#ffffff;stroke:#8593a8}"
    ".host{fill:#e6effd;stroke:#2d5fb3}"
    ".chip{fill:#2d5fb3}"
    ".outside{fill:#fff6e0;stroke:#8a6412}"
    ".link{stroke:#8a6412;stroke-width:1.5}";

std::string escaped_for_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

int width_of(std::string_view text, double of_letter = letter) {
  // Bytes that continue a code point have no width.
  const auto letters = std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; });
  return static_cast<int>(static_cast<double>(letters) * of_letter) + 1;
}

struct Extent {
  int width = 0, height = 0;
};

// Boxes from left to right, in rows that are not wider than the picture.
class Flow {
 public:
  Flow(int left, int top) : left_(left), x_(left), y_(top) {}

  // Returns the place of the next box, and goes on to a new row where it does not fit.
  std::pair<int, int> place(Extent size) {
    if (x_ > left_ && x_ + size.width > left_ + widest) {
      x_ = left_;
      y_ += row_ + between;
      row_ = 0;
    }
    const std::pair at(x_, y_);
    x_ += size.width + between;
    row_ = std::max(row_, size.height);
    used_.width = std::max(used_.width, at.first + size.width - left_);
    used_.height = y_ + row_;
    return at;
  }
  int width() const { return used_.width; }
  int bottom() const { return used_.height; }

 private:
  int left_, x_, y_, row_ = 0;
  Extent used_;
};

// Something that the pods use, or that leads them.
struct Outsider {
  std::string kind, name;
};

class Picture {
 public:
  Picture(const Plan& plan, std::span<const yaml::Value> objects)
      : plan_(plan),
        tpu_(plan.tpu),
        grid_(host_grid(plan.tpu)),
        topology_(catalog::parse_topology(plan.tpu.topology).value_or(catalog::Topology{})) {
    find_neighbours(objects);
    const std::int64_t of_slice = tpu_.chips.value;
    slices_ = std::clamp<std::int64_t>(
        std::min(most_chips / of_slice, most_hosts / tpu_.hosts.value), 1, tpu_.slices);
    const std::int64_t of_layer = std::int64_t{topology_.size[0]} * topology_.size[1];
    layers_ = std::clamp<std::int64_t>(most_chips / of_layer, 1, topology_.size[2]);
    is_named_ = tpu_.hosts.value <= most_named;
  }

  std::string text() {
    int y = margin + 16;
    say(margin, y, "big", plan_.name);
    say(margin, y += line + 4, "soft", plan_.summary);
    y = add_neighbours(y + line) + 18;
    const int top = y;
    // The box around comes first, and its size last.
    std::string before = std::exchange(out_, {});
    int width = 0;
    const int bottom = add_pools(margin + pad, y + pad + 2 * line + 8, width);
    const std::string of_zone = zone_text(), of_cluster = cluster_text();
    width = std::max({width, width_of(of_zone, bold_letter), width_of(of_cluster)}) + 2 * pad;
    std::string inner = std::exchange(out_, std::move(before));
    box(margin, top, {width, bottom + pad - top}, "zone");
    say(margin + pad, top + pad + 9, "bold", of_zone);
    say(margin + pad, top + pad + 9 + line, "soft", of_cluster);
    out_ += inner;
    const int whole =
        std::max({width, neighbours_width_, width_of(plan_.summary), width_of(plan_.name, 12.5)}) +
        2 * margin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" "
        "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n"
        "<title id=\"title\">{2}</title>\n<desc id=\"desc\">{3}</desc>\n"
        "<metadata>Compiled by flexslice from {6}.</metadata>\n"
        "<style>{4}</style>\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n{5}</svg>\n",
        whole, bottom + pad + margin, escaped_for_xml(plan_.name + ": " + plan_.summary),
        escaped_for_xml(description()), style, out_, escaped_for_xml(plan_.source));
  }

 private:
  void find_neighbours(std::span<const yaml::Value> objects) {
    const auto add = [&](std::string kind, std::string_view name) {
      if (name.empty() || any_of(neighbours_, [&](const Outsider& other) {
            return other.kind == kind && other.name == name;
          }))
        return;
      neighbours_.push_back({std::move(kind), std::string(name)});
    };
    add("queue", plan_.provisioning.queue);
    for (const yaml::Value& object : objects) {
      if (object.text_at({"kind"}) == "Service")
        add("Service", object.text_at({"metadata", "name"}));
    }
    if (plan_.leader && !plan_.leader->tpu) {
      const bool is_head = plan_.ray || plan_.pathways;
      add(is_head ? "head, on an ordinary node" : "leader, on an ordinary node",
          plan_.leader->host_names.empty() ? plan_.name + "-…" : plan_.leader->host_names.front());
    }
    for (const plan::PodVolume& volume : plan_.workload.volumes.items) {
      add("bucket", volume.bucket.value);
      add("volume claim", volume.pvc.value);
    }
    if (plan_.provisioning.reservation) add("reservation", plan_.provisioning.reservation->name);
  }

  void say(int x, int y, std::string_view css, std::string_view text) {
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\">{}</text>\n", x, y, css,
                        escaped_for_xml(text));
  }
  void box(int x, int y, Extent size, std::string_view css) {
    out_ +=
        fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"{}\"/>\n",
                    x, y, size.width, size.height, css);
  }

  // Returns where they end.
  int add_neighbours(int y) {
    if (neighbours_.empty()) return y - line;
    Flow flow(margin, y);
    const int height = 2 * line + pad;
    for (const Outsider& each : neighbours_) {
      const int width = std::max(width_of(each.kind), width_of(each.name, bold_letter)) + 2 * pad;
      const auto [x, top] = flow.place({width, height});
      out_ += fmt::format("<g class=\"neighbour\"><title>{} {}</title>\n",
                          escaped_for_xml(each.kind), escaped_for_xml(each.name));
      const int middle = x + std::min(width, 40) / 2;
      out_ += fmt::format("<path d=\"M{} {}v18\" class=\"link\"/>\n", middle, top + height);
      box(x, top, {width, height}, "outside");
      say(x + pad, top + pad + 7, "soft", each.kind);
      say(x + pad, top + pad + 7 + line, "bold", each.name);
      out_ += "</g>\n";
    }
    neighbours_width_ = flow.width();
    return flow.bottom();
  }

  std::string zone_text() const {
    const std::vector<std::string>& zones = plan_.provisioning.zones.value;
    if (zones.empty()) return "a zone that GKE chooses";
    return (zones.size() == 1 ? "zone " : "zones ") + text::join(zones, ", ");
  }
  std::string cluster_text() const {
    std::string text = plan_.cluster.name.empty() ? "any cluster" : "cluster " + plan_.cluster.name;
    if (!plan_.cluster.location.empty()) text += " in " + plan_.cluster.location;
    return text + (plan_.cluster.autopilot ? ", Autopilot" : "");
  }

  bool has_pool_for_each() const {
    return std::ssize(plan_.pools) == tpu_.slices && tpu_.slices > 1 &&
           plan_.provisioning.slicing == nullptr;
  }
  std::string pool_text(std::int64_t index) const {
    if (plan_.provisioning.slicing != nullptr)
      return fmt::format("{} of {}", count(plan_.placement.pools, "node pool"),
                         plan_.provisioning.pool_topology);
    if (std::ssize(plan_.pools) > index)
      return "node pool " + plan_.pools[static_cast<std::size_t>(index)].name;
    if (plan_.compute_class) return "a node pool of ComputeClass " + plan_.compute_class->name;
    return plan_.cluster.autopilot ? "nodes that Autopilot creates" : "a node pool that exists";
  }
  std::string nodes_text(std::int64_t nodes) const {
    return fmt::format("{} of {}, {}", count(nodes, "node"), tpu_.machine_type.value,
                       plan_.provisioning.title);
  }

  // Returns where they end.
  int add_pools(int x, int y, int& width) {
    const bool each = has_pool_for_each();
    Flow flow(x, y);
    for (std::int64_t pool = 0; pool < (each ? slices_ : 1); ++pool) {
      // Drawn to be measured, and again where there is room.
      const std::string before = out_;
      const Extent size = add_pool(0, 0, pool, each);
      out_ = before;
      const auto [left, top] = flow.place(size);
      add_pool(left, top, pool, each);
    }
    width = flow.width();
    int bottom = flow.bottom();
    if (each && slices_ < tpu_.slices) {
      const std::string more = more_text();
      say(x, bottom + between + 6, "soft", more);
      width = std::max(width, width_of(more));
      bottom += between + 8;
    }
    return bottom;
  }

  std::string more_text() const {
    return fmt::format("and {} like these", count(tpu_.slices - slices_, "more slice"));
  }

  Extent add_pool(int x, int y, std::int64_t pool, bool each) {
    const std::string name = pool_text(pool);
    const std::string nodes = nodes_text(each ? tpu_.hosts.value : tpu_.total_hosts.value);
    std::string before = std::exchange(out_, {});
    Flow flow(x + pad, y + pad + 2 * line + 6);
    for (std::int64_t slice = each ? pool : 0; slice < (each ? pool + 1 : slices_); ++slice) {
      std::string drawn = std::exchange(out_, {});
      const Extent size = add_slice(0, 0, slice);
      out_ = std::move(drawn);
      const auto [left, top] = flow.place(size);
      add_slice(left, top, slice);
    }
    Extent size{std::max({flow.width(), width_of(name, bold_letter), width_of(nodes)}) + 2 * pad,
                flow.bottom() - y + pad};
    if (!each && slices_ < tpu_.slices) {
      say(x + pad, y + size.height + 6, "soft", more_text());
      size.width = std::max(size.width, width_of(more_text()) + 2 * pad);
      size.height += line;
    }
    const std::string inner = std::exchange(out_, std::move(before));
    out_ += "<g class=\"nodes\">\n";
    box(x, y, size, "pool");
    say(x + pad, y + pad + 9, "bold", name);
    say(x + pad, y + pad + 9 + line, "soft", nodes);
    out_ += inner + "</g>\n";
    return size;
  }

  // Chips below a name are wider.
  int height_of_chip() const { return is_named_ ? chip_height : chip; }

  Extent host_size() const {
    const Extent chips{grid_.block[1] * (chip + spacing) - spacing,
                       grid_.block[0] * grid_.block[2] * (height_of_chip() + spacing) - spacing};
    int label = width_of("000");
    if (is_named_) {
      label = 0;
      for (std::int64_t host = 0; host < tpu_.hosts.value; ++host) {
        label = std::max({label, width_of(pod_name(slices_ - 1, host), bold_letter),
                          width_of(place_text(slices_ - 1, host))});
      }
    }
    return {std::max(chips.width, label) + 2 * pad,
            chips.height + 2 * pad + (is_named_ ? 2 * line : line)};
  }

  // Empty where the controller gives the pods random names.
  std::string pod_name(std::int64_t slice, std::int64_t host) const {
    if (!plan_.workload.host_names.empty()) {
      return resolve::host_name(plan_.name, *plan_.workload.of_kind, slice, host + leaders());
    }
    // The controller makes up the rest of the name, so the picture numbers the hosts.
    const std::string start = plan_.name + "-…";
    if (tpu_.multi_host) return fmt::format("{}, host {}", start, host);
    if (plan_.workload.completion_mode != "Indexed") return start;
    return fmt::format("{}-{}", plan_.workload.schedule ? start : plan_.name, slice);
  }

  // Pods of a slice that come before those with chips.
  std::int64_t leaders() const { return plan_.group && plan_.group->leader_apart ? 1 : 0; }
  bool is_joined() const { return plan_.workload.of_kind->slices == spec::Slices::joined; }
  std::int64_t rank(std::int64_t slice, std::int64_t host) const {
    return (is_joined() ? slice * tpu_.hosts.value : 0) + host;
  }
  std::string place_text(std::int64_t slice, std::int64_t host) const {
    if (!tpu_.multi_host) return fmt::format("index {}", slice);
    return fmt::format("index {}, rank {}", host + leaders(), rank(slice, host));
  }

  std::string slice_text(std::int64_t slice) const {
    if (tpu_.slices > 1 && !tpu_.multi_host)
      return fmt::format("slice {}: {}", slice, tpu_.topology);
    return fmt::format(
        "{}{}: {} on {}", tpu_.slices > 1 ? fmt::format("slice {}, ", slice) : std::string(),
        tpu_.topology, count(tpu_.chips.value, "chip"), count(tpu_.hosts.value, "host"));
  }

  // Boxes that have no room for names have the indices.
  std::string legend_text(std::int64_t slice) const {
    if (!is_named_)
      return fmt::format("the number is the index; {} has rank {}",
                         plan_.workload.host_names.empty() ? "0" : pod_name(slice, 0),
                         rank(slice, 0));
    if (!tpu_.multi_host || slice > 0) return {};
    return is_joined() && tpu_.slices > 1 ? "index in the slice, rank in all of the workload"
                                          : "index of the pod, rank of its process";
  }

  Extent add_slice(int x, int y, std::int64_t slice) {
    out_ += "<g class=\"slice\">\n";
    const std::string title = slice_text(slice);
    int top = y + 9, width = width_of(title);
    say(x, top, "soft", title);
    const std::string legend = legend_text(slice);
    if (!legend.empty()) say(x, top += line, "soft", legend);
    width = std::max(width, width_of(legend));
    const Extent host = host_size();
    const auto& [block, rows, columns, layers] = grid_;
    const int heading = topology_.size[2] > 1 ? line : 0;
    const Extent layer{columns * (host.width + spacing) - spacing,
                       rows * (host.height + spacing) - spacing + heading};
    Flow flow(x, top + 10);
    const std::int64_t steps = std::max<std::int64_t>(1, layers_ / block[2]);
    for (std::int64_t z = 0; z < steps; ++z) {
      const auto [left, above] = flow.place(layer);
      if (heading > 0) say(left, above + 9, "soft", layer_text(z));
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
          add_host(left + column * (host.width + spacing),
                   above + heading + row * (host.height + spacing), host, slice,
                   grid_.index(static_cast<int>(z), row, column));
        }
      }
    }
    int bottom = flow.bottom();
    if (layers_ < topology_.size[2]) {
      say(x, bottom + line, "soft",
          fmt::format("and {} like these", count(topology_.size[2] - layers_, "more layer")));
      bottom += line + 4;
    }
    out_ += "</g>\n";
    return {std::max(width, flow.width()), bottom - y};
  }

  std::string layer_text(std::int64_t z) const {
    if (is_of_boards(tpu_)) return fmt::format("group {}", z);
    if (grid_.block[2] == 1) return fmt::format("layer {}", z);
    return fmt::format("layers {} to {}", z * grid_.block[2], (z + 1) * grid_.block[2] - 1);
  }

  void add_host(int x, int y, Extent size, std::int64_t slice, std::int64_t host) {
    const std::string name = pod_name(slice, host);
    out_ += fmt::format("<g><title>pod {}, {}, {}</title>", escaped_for_xml(name),
                        place_text(slice, host), count(tpu_.chips_per_host.value, "chip"));
    box(x, y, size, "host");
    int top = y + pad;
    if (is_named_) {
      say(x + pad, top + 8, "bold", name);
      say(x + pad, top + 8 + line, "soft", place_text(slice, host));
      top += 2 * line;
    } else {
      say(x + pad, top + 8, "soft", std::to_string(host + leaders()));
      top += line;
    }
    // They fill the box, so that those of all hosts are one grid.
    const int width = (size.width - 2 * pad + spacing) / grid_.block[1] - spacing,
              height = height_of_chip();
    for (int row = 0; row < grid_.block[0] * grid_.block[2]; ++row) {
      for (int column = 0; column < grid_.block[1]; ++column)
        out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"chip\"/>",
                            x + pad + column * (width + spacing), top + row * (height + spacing),
                            width, height);
    }
    out_ += "</g>\n";
  }

  std::string description() const {
    std::string text =
        fmt::format("{} of TPU {}, {} each: {} in all.", count(tpu_.slices, "slice"), tpu_.topology,
                    count(tpu_.chips.value, "chip"), count(tpu_.total_chips.value, "chip"));
    text += fmt::format(" {} of {}, in {}, {}.", count(tpu_.total_hosts.value, "host"),
                        tpu_.machine_type.value, zone_text(), cluster_text());
    for (const plan::NodePool& pool : plan_.pools) text += fmt::format(" Node pool {}.", pool.name);
    for (const Outsider& each : neighbours_)
      text += fmt::format(" Outside: {} {}.", each.kind, each.name);
    return text;
  }

  const Plan& plan_;
  const plan::TpuSlices& tpu_;
  HostGrid grid_;
  catalog::Topology topology_;
  std::int64_t slices_ = 1, layers_ = 1;  // that are drawn
  bool is_named_ = true;                  // the boxes of hosts have the names of their pods
  std::vector<Outsider> neighbours_;
  int neighbours_width_ = 0;
  std::string out_;
};

}  // namespace

std::string svg(const Plan& plan, std::span<const yaml::Value> objects) {
  return Picture(plan, objects).text();
}

}  // namespace flexslice::picture
