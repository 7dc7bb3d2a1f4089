/** The scheme of a signature; `x509` and `unknown` cannot be verified here. */
type SignatureScheme = 'none' | 'gpg' | 'ssh' | 'x509' | 'unknown'

/** A commit or an annotated tag, taken apart as git does before it asks for a verdict. */
export interface SignedObject {
  type: 'commit' | 'tag'
  sha: string
  /** The bytes that were signed. */
  payload: Buffer
  /** The armoured signature; empty when there is none. */
  signature: string
  scheme: SignatureScheme
  /** The committer or tagger, as the object spells it. */
  by: string
  /** When it was committed or tagged by its own account, in milliseconds since 1970. */
  at: number
  /** The name that a tag gives itself; empty for a commit. */
  name: string
}

const armours: readonly [string, SignatureScheme][] = [
  ['-----BEGIN PGP SIGNATURE-----', 'gpg'],
  ['-----BEGIN PGP MESSAGE-----', 'gpg'],
  ['-----BEGIN SSH SIGNATURE-----', 'ssh'],
  ['-----BEGIN SIGNED MESSAGE-----', 'x509'],
]

/**
 * Takes an object apart. A commit's signature is its header `gpgsig` (`gpgsig-sha256` where names are SHA-256); a tag's
 * is the end of its text, from the last line that begins one.
 */
export function readSignedObject(type: 'commit' | 'tag', sha: string, bytes: Buffer): SignedObject {
  // One character for each byte, so that the payload keeps every byte whatever its encoding.
  const text = bytes.toString('latin1')
  const end = text.indexOf('\n\n')
  const header = end < 0 ? text : text.slice(0, end)
  const { kept, signature: inHeader } = takeSignature(header, sha.length === 40 ? 'gpgsig' : 'gpgsig-sha256')
  const unsigned = kept + (end < 0 ? '' : text.slice(end))
  const start = type === 'tag' ? lastArmour(unsigned) : unsigned.length
  const signature = type === 'tag' ? unsigned.slice(start) : inHeader
  const identity = headerValue(kept, type === 'tag' ? 'tagger' : 'committer')
  const [, person = identity, seconds = '0'] = /^(.*>) (-?\d{1,12}) [+-]\d{4}$/.exec(identity) ?? []
  return {
    type,
    sha,
    payload: Buffer.from(unsigned.slice(0, start), 'latin1'),
    signature,
    scheme: schemeOf(signature),
    by: readable(person),
    at: Number(seconds) * 1_000,
    name: type === 'tag' ? readable(headerValue(kept, 'tag')) : '',
  }
}

/** The headers without all signatures, and the signature of the header that applies. */
function takeSignature(header: string, counting: string): { kept: string; signature: string } {
  const kept: string[] = []
  const signature: string[] = []
  let within = ''
  for (const line of header.split('\n')) {
    const [, name = '', rest = ''] = /^(gpgsig|gpgsig-sha256) (.*)$/s.exec(line) ?? []
    const continues = within !== '' && line.startsWith(' ')
    if (!continues) within = name
    if (within === '') kept.push(line)
    else if (within === counting) signature.push(continues ? line.slice(1) : rest)
  }
  return { kept: kept.join('\n'), signature: signature.length === 0 ? '' : `${signature.join('\n')}\n` }
}

function lastArmour(text: string): number {
  const starts = armours.map(([armour]) =>
    text.startsWith(armour) ? 0 : text.lastIndexOf(`\n${armour}`) + 1 || -1,
  )
  const last = Math.max(...starts)
  return last < 0 ? text.length : last
}

function schemeOf(signature: string): SignatureScheme {
  if (signature === '') return 'none'
  return armours.find(([armour]) => signature.startsWith(armour))?.[1] ?? 'unknown'
}

function headerValue(header: string, name: string): string {
  const line = header.split('\n').find((one) => one.startsWith(`${name} `))
  return line?.slice(name.length + 1) ?? ''
}

/** A header as text, without what would control a terminal. */
function readable(latin1: string): string {
  return Buffer.from(latin1, 'latin1')
    .toString()
    .replaceAll(/\p{Cc}/gu, ' ')
}
