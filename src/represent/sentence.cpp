#include "espalier/represent/sentence.hpp"

#include <fmt/format.h>

#include "espalier/base/error.hpp"

namespace espalier {

namespace {

/// Fills `list` with the dependents of all words; those of word i start at begin[i].
void list_dependents(const Sentence& sentence, std::vector<std::uint32_t>& begin,
                     std::vector<std::uint32_t>& list) {
  const auto count = static_cast<std::uint32_t>(sentence.words.size());
  begin.assign(count + 2, 0);
  for (const Word& word : sentence.words) {
    if (word.head > 0) ++begin[word.head + 1];
  }
  for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
  list.resize(begin.back());
  // The dependents of the word with id h start at begin[h]. Filling advances that to their end,
  // which is where those of the next word start.
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t head = sentence.words[i].head;
    if (head > 0) list[begin[head]++] = i;
  }
  begin.pop_back();
}

/// A word on a cycle; the number of words if there is none.
std::size_t find_cycle(const Sentence& sentence) {
  enum : std::uint8_t { unseen, open, fine };
  std::vector<std::uint8_t> state(sentence.words.size(), unseen);
  for (std::size_t i = 0; i < state.size(); ++i) {
    std::size_t at = i;
    while (state[at] == unseen) {
      state[at] = open;
      if (sentence.words[at].head == 0) break;
      at = sentence.words[at].head - 1;
    }
    if (state[at] == open && sentence.words[at].head != 0) return at;
    for (at = i; state[at] == open; at = sentence.words[at].head - 1) {
      state[at] = fine;
      if (sentence.words[at].head == 0) break;
    }
  }
  return state.size();
}

}  // namespace

const std::string* Sentence::find(std::string_view key) const {
  for (const auto& [name, value] : metadata) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::optional<HeadFault> find_head_fault(const Sentence& sentence) {
  const std::size_t count = sentence.words.size();
  if (count >= Dependents::no_head - 1) return HeadFault{0, "the sentence has too many words"};
  std::size_t root = count;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t head = sentence.words[i].head;
    if (head > count) {
      return HeadFault{
          i, fmt::format("the head {} is out of range: the sentence has {} words", head, count)};
    }
    if (head != 0) continue;
    if (root < count) {
      return HeadFault{i, fmt::format("a second root: word {} has the head 0 too", root + 1)};
    }
    root = i;
  }
  const std::size_t cycle = find_cycle(sentence);
  if (cycle < count) {
    return HeadFault{cycle,
                     fmt::format("a cycle: the heads of word {} lead back to it", cycle + 1)};
  }
  // Without a cycle, only a sentence without words can lack a root.
  if (root == count) return HeadFault{0, "the sentence has no words"};
  return {};
}

Dependents::Dependents(const Sentence& sentence) {
  if (const auto fault = find_head_fault(sentence)) throw Error(fault->message);
  list_dependents(sentence, begin_, list_);
  for (std::uint32_t i = 0; i < sentence.words.size(); ++i) {
    const std::uint32_t head = sentence.words[i].head;
    heads_.push_back(head == 0 ? no_head : head - 1);
    if (head == 0) root_ = i;
  }
}

std::vector<std::uint32_t> Dependents::top_down() const {
  std::vector<std::uint32_t> out = {root_};
  for (std::size_t i = 0; i < out.size(); ++i) out.insert(out.end(), begin(out[i]), end(out[i]));
  return out;
}

}  // namespace espalier
