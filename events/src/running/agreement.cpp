#include "running/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string>

#include "model/make_error.hpp"
#include "running/blame.hpp"

namespace onecast::events {
namespace {

/// Encodes the serializer and the name and class of each product, each followed by a zero.
std::string as_text(const ProductList& products) {
  std::string text = products.serializer + '\0';
  for (const Product& product : products.products)
    text += product.name + '\0' + product.class_name + '\0';
  return text;
}

ProductList from_text(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size(); at += words.back().size() + 1)
    words.emplace_back(text.c_str() + at);
  ProductList products{words.at(0), {}};
  for (std::size_t i = 2; i < words.size(); i += 2)
    products.products.push_back({words[i - 1], words[i]});
  return products;
}

/// Returns the first product of `a` that `b` lacks or has at another place.
const Product* missing(const ProductList& a, const ProductList& b) {
  for (const Product& product : a.products)
    if (std::ranges::find(b.products, product) == b.products.end()) return &product;
  return nullptr;
}

std::string named(const Product& product) {
  return fmt::format("{} ({})", product.name, product.class_name);
}

void require_equal(const ProductList& mine, const ProductList& first) {
  if (mine == first) return;
  std::string how = "they are in another order";
  if (const Product* product = missing(first, mine))
    how = fmt::format("{} is missing", named(*product));
  else if (const Product* more = missing(mine, first))
    how = fmt::format("{} is more", named(*more));
  else if (mine.serializer != first.serializer)
    how = fmt::format("serializer {}, not {}", mine.serializer, first.serializer);
  throw argument_error("the source has other products than that of rank 0: {}", how);
}

[[noreturn]] void fail_without_first(const Source& source, std::uint64_t first) {
  const auto events = source.size();
  throw argument_error("first: {}: is behind the last entry; the source has {} events", first,
                       events ? fmt::to_string(*events) : "fewer");
}

/// Returns the average bytes of each product in the first events; zeros if there are no events.
std::vector<std::uint64_t> first_sizes(Source& source, const RunOptions& options) {
  constexpr std::uint64_t kMostEvents = 8;
  constexpr std::uint64_t kEnoughBytes = std::uint64_t{4} << 20U;
  std::vector<std::uint64_t> sizes(source.products().size());
  const auto cursor = source.cursor();
  const std::uint64_t most = std::min(options.events.value_or(kMostEvents), kMostEvents);
  std::uint64_t events = 0;
  for (std::uint64_t bytes = 0; events < most && bytes < kEnoughBytes; ++events) {
    const std::uint64_t entry = options.first + events;
    try {
      if (!cursor->go_to(entry)) break;
      cursor->prepare();
      for (std::size_t p = 0; p < sizes.size(); ++p) {
        cursor->fetch(p);
        sizes[p] += cursor->serialized(p).size();
        bytes += cursor->serialized(p).size();
      }
    } catch (...) {
      std::rethrow_exception(
          blamed(std::current_exception(), options.names.source, fmt::format("entry {}", entry)));
    }
  }
  if (events == 0 && most != 0 && options.first != 0) fail_without_first(source, options.first);
  for (std::uint64_t& size : sizes) size = (size + events - 1) / std::max(events, std::uint64_t{1});
  return sizes;
}

}  // namespace

void agree_on_products(const ProductList& products, Team& team) {
  const std::string mine = as_text(products);
  const std::uint64_t digest = std::hash<std::string>()(mine);
  const auto digests = team.gather(std::span(&digest, 1));
  if (std::ranges::all_of(digests, [&](const auto& of_rank) { return of_rank == digests[0]; }))
    return;
  std::exception_ptr failure;
  try {
    require_equal(products, from_text(gather_texts(team, team.rank() == 0 ? mine : "").front()));
  } catch (...) {
    failure = std::current_exception();
  }
  agree(team, failure);
}

Expectation agreed_expectation(Source& source, const RunOptions& options, Team& team) {
  std::vector<std::uint64_t> mine;
  std::exception_ptr failure;
  try {
    mine = first_sizes(source, options);
  } catch (...) {
    failure = std::current_exception();
  }
  agree(team, failure);
  Expectation expected{source.size(), std::move(mine), options.threads};
  if (expected.events) *expected.events -= std::min(*expected.events, options.first);
  if (options.events) expected.events = std::min(*options.events, expected.events.value_or(~0ULL));
  if (team.size() == 1) return expected;
  std::vector<std::uint64_t> numbers = expected.product_bytes;
  numbers.push_back(expected.events.value_or(~0ULL));
  bool found = false;
  std::uint64_t events = 0;
  for (std::vector<std::uint64_t>& all : team.gather(numbers)) {
    const std::uint64_t of_rank = all.back();
    all.pop_back();
    if (of_rank == ~0ULL || events == ~0ULL)
      events = ~0ULL;
    else
      events = options.shares_source ? of_rank : events + of_rank;
    if (!found && std::ranges::any_of(all, [](std::uint64_t n) { return n != 0; })) {
      found = true;
      expected.product_bytes = std::move(all);
    }
  }
  expected.events = events == ~0ULL ? std::nullopt : std::optional(events);
  return expected;
}

}  // namespace onecast::events
