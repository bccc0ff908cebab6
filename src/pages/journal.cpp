#include "pages/journal.hpp"

#include "base/buffer.hpp"
#include "onecast/base/error.hpp"
#include "transport/path_rules.hpp"

namespace onecast::pages {

std::string journal_path(const std::string& file) {
  return behind_links(file) + ".onecast-journal";
}

void JournalFile::write(const Journal& journal, bool durable) {
  const FileContext file;
  Buffer bytes(encoded_size(file, journal));
  ByteWriter out(bytes.span());
  encode(out, file, journal);
  const bool is_new = !transport_;
  if (is_new) {
    transport_ = factory_(path_, OpenMode::replace);
    transport_->take_place();
    copy_rights(file_, path_);
    exists_ = true;
  }
  process_ = getpid();
  transport_->write_at(0, bytes.span());
  if (!durable) return;
  transport_->sync();
  if (is_new) transport_->sync_name();
}

JournalFile::~JournalFile() {
  if (!exists_ || keep_ || process_ != getpid()) return;
  try {
    if (!transport_) transport_ = factory_(path_, OpenMode::read_only);
    transport_->remove();
  } catch (const Error&) {
    return;  // a journal that stays does no harm
  }
}

}  // namespace onecast::pages
