import { formatMailAddress, parseMailAddress } from './mail-address.ts'
import { runGit } from '../process/run-git.ts'

/** The commit of another repository that led to this one, as `Argocd-reference-commit-*` trailers name it. */
export type CommitReference = {
  commit: {
    author?: string
    /** RFC 3339 in the offset that the trailer gives. */
    date?: string
    subject?: string
    body?: string
    sha?: string
    repoUrl?: string
  }
}

const prefix = 'Argocd-reference-commit-'

/**
 * Reads the reference trailers of a commit message.
 *
 * References come from the trailer block as `git interpret-trailers` finds it; `remainder` is the body without any
 * line that is a valid reference, wherever it stands. An invalid trailer stays in the remainder. At most one reference
 * comes out, and a repeated key's last value applies. A reference without an author has none.
 */
export async function parseReferences(
  message: string,
  body: string,
): Promise<{ references: CommitReference[]; remainder: string }> {
  const lines = body === '' ? [] : body.replace(/\n$/, '').split('\n')
  const unrelated = lines.filter((line) => parseTrailer(line) === undefined)
  const remainder = unrelated.map((line) => `${line.replace(/\r$/, '')}\n`).join('')
  if (!message.includes(prefix)) return { references: [], remainder }
  const { stdout } = await runGit({ args: ['interpret-trailers', '--parse'], input: `${message}\n` })
  const commit: CommitReference['commit'] = {}
  for (const line of stdout.toString().split('\n')) Object.assign(commit, parseTrailer(line))
  return { references: Object.keys(commit).length > 0 ? [{ commit }] : [], remainder }
}

/** The fields that one line contributes, or undefined for a line that is no valid reference. */
function parseTrailer(line: string): CommitReference['commit'] | undefined {
  if (!line.startsWith(prefix)) return undefined
  const separator = line.indexOf(': ')
  if (separator < 0) return undefined
  const value = line.slice(separator + 2).replace(/\r$/, '')
  switch (line.slice(prefix.length, separator)) {
    case 'repourl':
      return isParsableUrl(value) ? { repoUrl: value } : undefined
    case 'author': {
      const address = parseMailAddress(value)
      return address === undefined ? undefined : { author: formatMailAddress(address) }
    }
    case 'date': {
      const date = reformatDate(value)
      return date === undefined ? undefined : { date }
    }
    case 'subject':
      return { subject: value }
    case 'body': {
      const text = parseJsonString(value)
      return text === undefined ? undefined : { body: text }
    }
    case 'sha':
      return /^[0-9a-f]{5,40}$/.test(value) ? { sha: value } : undefined
    default:
      return undefined
  }
}

/** True for a URL that Go's `url.Parse` accepts, as far as commit trailers are concerned. */
function isParsableUrl(text: string): boolean {
  if (/\p{Cc}/u.test(text) || /%(?![0-9a-f]{2})/i.test(text)) return false
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)
  if (scheme === null) return !text.startsWith(':') && !(text.split(/[/?#]/, 1)[0] ?? '').includes(':')
  const authority = /^[^:]+:\/\/([^/?#]*)/.exec(text)?.[1]
  return authority === undefined || /^(?:[^@\s]*@)?(?:\[[0-9a-f:.%]+\]|[^:\s[\]]*)(?::\d*)?$/i.test(authority)
}

function reformatDate(text: string): string | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}:\d{2}:\d{2})(?:[.,]\d+)?(Z|[+-]\d{2}:\d{2})$/.exec(text)
  if (match === null) return undefined
  const [, year = '', month = '', day = '', time = '', offset = ''] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(day) < 1 || Number(day) > daysInMonth) return undefined
  const zone = /^[+-]00:00$/.test(offset) ? 'Z' : offset
  const formatted = `${year}-${month}-${day}T${time}${zone}`
  return Number.isNaN(Date.parse(formatted)) ? undefined : formatted
}

function parseJsonString(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
