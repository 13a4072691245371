// SPDX-License-Identifier: MIT
#include "transcript/convert/iso_milliseconds.h"

#include <chrono>

namespace yume::transcript {
namespace {

// Takes the front of a text apart; after the first mismatch nothing fits any more.
class Front {
 public:
  explicit Front(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    int value = 0;
    if (rest_.size() < digits) fits_ = false;
    for (std::size_t i = 0; fits_ && i < digits; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') fits_ = false;
      value = value * 10 + (rest_[i] - '0');
    }
    if (fits_) rest_.remove_prefix(digits);
    return fits_ ? value : 0;
  }

  void mark(char c) {
    if (!take(c)) fits_ = false;
  }

  bool take(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  int milliseconds() {
    int value = 0;
    int scale = 100;
    while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') {
      value += (rest_.front() - '0') * scale;
      scale /= 10;
      rest_.remove_prefix(1);
    }
    return value;
  }

  [[nodiscard]] bool fits() const { return fits_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace

std::optional<std::int64_t> iso_milliseconds(std::string_view text) {
  using namespace std::chrono;
  Front front(text);
  const int y = front.number(4);
  front.mark('-');
  const int m = front.number(2);
  front.mark('-');
  const int d = front.number(2);
  const year_month_day date(year(y), month(static_cast<unsigned>(m)),
                            day(static_cast<unsigned>(d)));
  if (!front.fits() || !date.ok()) return std::nullopt;
  front.mark('T');
  const hours of_day(front.number(2));
  front.mark(':');
  const minutes of_hour(front.number(2));
  front.mark(':');
  const seconds of_minute(front.number(2));
  const milliseconds fraction(front.take('.') ? front.milliseconds() : 0);
  minutes offset(0);
  const bool east = front.take('+');
  if (east || front.take('-')) {
    offset = hours(front.number(2));
    (void)front.take(':');
    offset += minutes(front.number(2));
    if (!east) offset = -offset;
  } else {
    (void)front.take('Z');
  }
  if (!front.fits() || !front.empty()) return std::nullopt;
  return duration_cast<milliseconds>(sys_days(date).time_since_epoch() + of_day + of_hour +
                                     of_minute + fraction - offset)
      .count();
}

}  // namespace yume::transcript
