/**
 * Returns whether git takes the text as the name of a branch (git-check-ref-format, `refs/heads/<text>`).
 * Refused as well are `HEAD`, a leading `-` and names that begin with `refs/`, which tools take for something else,
 * and names of more than 255 bytes.
 */
export function isBranchName(text: string): boolean {
  if (text === '' || text === 'HEAD' || text === '@' || Buffer.byteLength(text) > 255) return false
  if (/^-|^refs\/|\.\.|@\{|[~^:?*[\\]|\.$/.test(text) || hasControlOrSpace(text)) return false
  return text.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

function hasControlOrSpace(text: string): boolean {
  for (const character of text) {
    if (character <= ' ' || character === '\u007f') return true
  }
  return false
}
