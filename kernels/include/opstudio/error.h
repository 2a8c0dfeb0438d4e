// Errors of kernels. They never cross the interface: the entry point turns them into a message.
//
// Nothing of the string library is used here: its headers would double the time to compile a small kernel.
#ifndef OPSTUDIO_ERROR_H
#define OPSTUDIO_ERROR_H

#include <cstdio>
#include <exception>
#include <string_view>
#include <type_traits>

#include "opstudio/compilation.h"

namespace opstudio {

// A message of at most 500 characters, made of parts: Error("size is ", 3).
class Error : public std::exception {
 public:
  template <class... Parts>
  OPSTUDIO_COLD explicit Error(const Parts&... parts) {
    text_[0] = 0;
    (add(parts), ...);
  }

  const char* what() const noexcept override { return text_; }

  OPSTUDIO_SHARED void add(std::string_view part) { print("%.*s", static_cast<int>(part.size()), part.data()); }

  template <class Number, std::enable_if_t<std::is_arithmetic_v<Number>, int> = 0>
  void add(Number part) {
    if constexpr (std::is_floating_point_v<Number>) {
      print("%g", static_cast<double>(part));
    } else {
      print("%lld", static_cast<long long>(part));
    }
  }

 private:
  template <class... Arguments>
  void print(const char* format, Arguments... arguments) {
    const int written = std::snprintf(text_ + length_, sizeof text_ - length_, format, arguments...);
    if (written > 0) length_ += static_cast<size_t>(written);
    if (length_ >= sizeof text_) length_ = sizeof text_ - 1;
  }

  char text_[500];
  size_t length_ = 0;
};

}  // namespace opstudio

// Refuses a call with a message made of the parts: OPSTUDIO_CHECK(size > 0, "size is ", size).
#define OPSTUDIO_CHECK(condition, ...)                       \
  do {                                                       \
    if (!(condition)) throw ::opstudio::Error(__VA_ARGS__);  \
  } while (false)

#endif
