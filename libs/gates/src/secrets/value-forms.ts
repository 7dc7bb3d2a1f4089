import { isEncrypted } from '../sops.ts'

/** Values that stand for a secret which is elsewhere. */
const references = [
  // argocd-vault-plugin, with modifiers such as `| base64encode`; without a path only as the whole value, as XML has such parts.
  /<path:[^<>]+#[^<>]+>/,
  /^<[^<>]+>$/,
  // Templates of External Secrets.
  /\{\{[^{}]+\}\}/,
  // vals, vault-secrets-webhook, 1Password.
  /^ref\+[a-z0-9]+:\/\/\S+$/,
  /^(?:>>)?vault:\S+#\S+$/,
  /^op:\/\/\S+$/,
  // Flux, Kubernetes and Zarf replace these.
  /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/,
  /^\$\([A-Za-z_][A-Za-z0-9_]*\)$/,
  /^###ZARF_[A-Z0-9_]+###$/,
]

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----/g
const publicBlocks = ['CERTIFICATE', 'PUBLIC KEY', 'RSA PUBLIC KEY', 'X509 CRL']

/** True if a value is empty, encrypted by SOPS, or made of nothing but public certificates and keys. */
export function isHarmless(text: string): boolean {
  const trimmed = text.trim()
  return trimmed === '' || isEncrypted(trimmed) || isPublic(trimmed)
}

function isPublic(text: string): boolean {
  const blocks = Array.from(text.matchAll(pemBlock), ([, name = '']) => name)
  return text.startsWith('-----BEGIN') && blocks.every((name) => publicBlocks.includes(name))
}

/** True if a value is, or has in it, a reference to a secret that another program puts in its place. */
export function refersElsewhere(text: string): boolean {
  const trimmed = text.trim()
  return references.some((reference) => reference.test(trimmed))
}
