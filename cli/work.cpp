#include "work.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>

#include "espalier/base/number.hpp"

namespace espalier::cli {

namespace {

volatile std::sig_atomic_t interrupt_requested = 0;

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// A bar with the time left, drawn over itself; gone when the work is done.
class ProgressBar {
 public:
  explicit ProgressBar(std::string what) : what_(std::move(what)) {}
  ~ProgressBar() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
  }
  void update(double share) {
    const double elapsed = seconds_since(start_);
    if (elapsed < 0.5 || (drawn_ && seconds_since(last_) < 0.1)) return;
    constexpr int width = 30;
    const int filled = static_cast<int>(share * width);
    fmt::print(stderr, "\r\x1b[K{} [{:#<{}}{:.<{}}] {:3.0f} %, {:.0f} s left{}{}", what_, "",
               filled, "", width - filled, 100 * share,
               share > 0 ? elapsed * (1 - share) / share : 0, status_.empty() ? "" : "; ", status_);
    std::fflush(stderr);
    last_ = Clock::now();
    drawn_ = true;
  }

  /// What is shown beside the bar.
  void set_status(std::string_view line) { status_ = line; }

 private:
  std::string what_;
  std::string status_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_;
  bool drawn_ = false;
};

}  // namespace

const CLI::Validator above_zero(
    [](std::string& text) {
      const auto number = parse_number(text);
      return number && *number > 0 ? "" : in_quotes(text) + " is not a number above 0";
    },
    "NUMBER");

void WorkOptions::add_to(CLI::App& command) {
  flags_.add_to(command, limits_);
  command.add_flag("--quiet", quiet, "no progress bar");
}

Context WorkOptions::context(const std::string& what) const {
  Context out = limits_;
  if (!quiet && isatty(STDERR_FILENO) != 0) {
    const auto bar = std::make_shared<ProgressBar>(what);
    out.progress = [bar](double share) { bar->update(share); };
    out.status = [bar](std::string_view line) { bar->set_status(line); };
  }
  std::signal(SIGINT, [](int) { interrupt_requested = 1; });
  out.cancelled = [] { return interrupt_requested != 0; };
  return out;
}

}  // namespace espalier::cli
