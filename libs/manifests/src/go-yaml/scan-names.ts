import type { TagToken, YamlScan, YamlToken } from './yaml-scan.ts'
import {
  YamlSyntaxError,
  codeAt,
  endOfText,
  isBlank,
  isBreakOrEnd,
  isGap,
  isNameCharacter,
  readBreak,
  readName,
  skipBlanks,
  skipComment,
} from './yaml-scan.ts'

/** Reads the name of an anchor (`&name`) or alias (`*name`). */
export function scanAnchor(scan: YamlScan, type: 'anchor' | 'alias'): YamlToken {
  const start = scan.at++
  const value = readName(scan)
  const code = codeAt(scan, scan.at)
  if (value === '' || !(isGap(code) || '?:,]}%@`'.includes(String.fromCharCode(code))))
    throw new YamlSyntaxError(`the name of an ${type} must consist of letters, digits, - and _`, start)
  return { type, start, value }
}

/** Reads a tag: `!<tag:…>`, `!handle!suffix`, `!suffix` or `!`. */
export function scanTag(scan: YamlScan): TagToken {
  const start = scan.at
  let token: TagToken
  if (scan.text.startsWith('!<', start)) {
    scan.at += 2
    token = { type: 'tag', start, handle: '', suffix: readTagCharacters(scan, start) }
    if (!scan.text.startsWith('>', scan.at)) throw new YamlSyntaxError('the tag must end with >', start)
    scan.at++
  } else {
    const handle = readHandle(scan)
    if (handle.length > 1 && handle.endsWith('!')) {
      token = { type: 'tag', start, handle, suffix: readTagCharacters(scan, start) }
    } else {
      const suffix = handle.slice(1) + readTagCharacters(scan, start, true)
      token =
        suffix === ''
          ? { type: 'tag', start, handle: '', suffix: '!' }
          : { type: 'tag', start, handle: '!', suffix }
    }
  }
  if (!isGap(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('a space or the end of the line must follow a tag', scan.at)
  return token
}

/** Reads `!`, `!name` or `!name!`. */
function readHandle(scan: YamlScan): string {
  const start = scan.at++
  readName(scan)
  if (scan.text.startsWith('!', scan.at)) scan.at++
  return scan.text.slice(start, scan.at)
}

const tagPunctuation = ";/?:@&=+$,.!~*'()[]%"

function readTagCharacters(scan: YamlScan, start: number, mayBeEmpty = false): string {
  const from = scan.at
  for (;;) {
    const code = codeAt(scan, scan.at)
    if (code === endOfText) break
    if (!isNameCharacter(code) && !tagPunctuation.includes(String.fromCharCode(code))) break
    scan.at++
  }
  const written = scan.text.slice(from, scan.at)
  if (written === '' && !mayBeEmpty) throw new YamlSyntaxError('the tag has no name', start)
  return written.includes('%') ? unescapeTag(written, start) : written
}

const escapedCharacter =
  /%(?:[0-7][0-9a-f]|[cd][0-9a-f]%[89ab][0-9a-f]|e[0-9a-f](?:%[89ab][0-9a-f]){2}|f[0-7](?:%[89ab][0-9a-f]){3})/gi

/** Replaces the escapes that names of YAML may have; others are left, as no name has them. */
function unescapeTag(written: string, start: number): string {
  if (written.replaceAll(escapedCharacter, '').includes('%'))
    throw new YamlSyntaxError('% in a tag must be followed by the hexadecimal digits of a character', start)
  return written.replaceAll(/%([0-7][0-9a-f])/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

const version = /[ \t]*([0-9]{1,2}\.[0-9]{1,2})/y

/** Reads `%YAML` or `%TAG` with what is behind it, up to the next line. */
export function scanDirective(scan: YamlScan): YamlToken {
  const start = scan.at++
  const name = readName(scan)
  if ((name !== 'YAML' && name !== 'TAG') || !isGap(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('unknown directive; expected %YAML or %TAG', start)
  const token = name === 'YAML' ? readVersion(scan, start) : readTagDirective(scan, start)
  skipBlanks(scan)
  skipComment(scan)
  if (!isBreakOrEnd(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('only a comment may stand behind a directive', scan.at)
  readBreak(scan)
  return token
}

function readVersion(scan: YamlScan, start: number): YamlToken {
  version.lastIndex = scan.at
  const [written, number] = version.exec(scan.text) ?? []
  if (written === undefined || number === undefined)
    throw new YamlSyntaxError('%YAML must be followed by a version such as 1.1', start)
  scan.at += written.length
  return { type: 'version directive', start, version: number.replaceAll(/\b0(?=\d)/g, '') }
}

function readTagDirective(scan: YamlScan, start: number): YamlToken {
  skipBlanks(scan)
  const handle = scan.text.startsWith('!', scan.at) ? readHandle(scan) : ''
  if ((handle !== '!' && !/^!.*!$/.test(handle)) || !isBlank(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('%TAG must be followed by a handle such as !name! and a prefix', start)
  skipBlanks(scan)
  const prefix = readTagCharacters(scan, start)
  if (!isGap(codeAt(scan, scan.at)))
    throw new YamlSyntaxError('a space or the end of the line must follow a tag', scan.at)
  return { type: 'tag directive', start, handle, prefix }
}
