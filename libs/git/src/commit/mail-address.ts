/** A person as e-mail headers name one. */
type MailAddress = { name: string; local: string; domain: string }

/** RFC 5322's limit for a line; it also bounds the work that a hostile commit message can cause. */
const maxLineLength = 998

const atom = String.raw`[\p{L}\p{N}!#$%&'*+/=?^_\x60{|}~-]+`
const dotAtom = String.raw`${atom}(?:\.${atom})*`
const addressPattern = new RegExp(String.raw`^(${dotAtom})@(${dotAtom})$`, 'u')
const wordPattern = new RegExp(String.raw`\s*(?:"((?:[^"\\]|\\.)*)"|((?:${atom}|\.)+))\s*`, 'uy')

/** Parses one RFC 5322 address, `Name <a@b>`, `"Name" <a@b>` or `a@b`; undefined for anything else. */
export function parseMailAddress(text: string): MailAddress | undefined {
  if (text.length > maxLineLength) return undefined
  const bracket = /^([^<>]*|.*")\s*<([^<>\s]+)>\s*$/.exec(text)
  const match = addressPattern.exec(bracket?.[2] ?? text.trim())
  if (match === null) return undefined
  const name = parseDisplayName(bracket?.[1] ?? '')
  return name === undefined ? undefined : { name, local: match[1] ?? '', domain: match[2] ?? '' }
}

function parseDisplayName(text: string): string | undefined {
  const words: string[] = []
  wordPattern.lastIndex = 0
  while (wordPattern.lastIndex < text.trimEnd().length) {
    const match = wordPattern.exec(text)
    if (match === null) return undefined
    words.push(match[1] === undefined ? decodeWord(match[2] ?? '') : match[1].replaceAll(/\\(.)/g, '$1'))
  }
  return words.join(' ')
}

/** Decodes an RFC 2047 word in UTF-8; other text and other charsets stay as they are. */
function decodeWord(word: string): string {
  const match = /^=\?utf-8\?([qb])\?([^?]*)\?=$/i.exec(word)
  if (match === null) return word
  const [, encoding = '', text = ''] = match
  if (encoding.toLowerCase() === 'b') return Buffer.from(text, 'base64').toString()
  const bytes = text
    .replaceAll('_', ' ')
    .replaceAll(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Writes an address as Go's `mail.Address` does: the name quoted, or as an RFC 2047 word if it is not ASCII. */
export function formatMailAddress({ name, local, domain }: MailAddress): string {
  const address = `<${local}@${domain}>`
  if (name === '') return address
  if (/^[\t\x20-\x7e]*$/.test(name)) return `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}" ${address}`
  return `${encodeWords(name)} ${address}`
}

/** RFC 2047 with at most 75 characters a word, cut between characters. */
function encodeWords(text: string): string {
  const room = 75 - '=?utf-8?q??='.length
  const words = ['']
  for (const character of text) {
    const encoded = [...Buffer.from(character)].map(encodeByte).join('')
    const last = words.at(-1) ?? ''
    if (last.length + encoded.length > room) words.push(encoded)
    else words[words.length - 1] = last + encoded
  }
  return words.map((word) => `=?utf-8?q?${word}?=`).join(' ')
}

function encodeByte(byte: number): string {
  if (byte === 0x20) return '_'
  const plain = byte > 0x20 && byte < 0x7f && byte !== 0x3d && byte !== 0x3f && byte !== 0x5f
  return plain ? String.fromCharCode(byte) : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
