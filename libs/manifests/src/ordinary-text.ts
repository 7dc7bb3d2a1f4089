const tab = 0x09
const lineFeed = 0x0a

/** Returns whether the text has no character that YAML refuses, drops or may take for a line break beside LF. */
export function isOrdinaryText(text: string): boolean {
  let hasSurrogates = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20) {
      if (unit !== lineFeed && unit !== tab) return false
    } else if (unit > 0x7e) {
      if (unit < 0xa0 || unit === 0x2028 || unit === 0x2029 || unit === 0xfeff || unit >= 0xfffe) return false
      hasSurrogates ||= unit >= 0xd800 && unit < 0xe000
    }
  }
  return !hasSurrogates || text.isWellFormed()
}
