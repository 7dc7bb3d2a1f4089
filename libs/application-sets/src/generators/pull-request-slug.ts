const maxLength = 50

/** Replacements of characters that stay after accents are removed. */
const letters = new Map([
  ['&', 'and'],
  ['@', 'at'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['"', ''],
  ["'", ''],
  ['’', ''],
])

/**
 * A branch as part of a DNS name, as Argo CD makes `branch_slug`: lower case, `-` for everything that is not a letter or
 * digit, and at most 50 characters, cut at the last `-` before that. Letters of Latin scripts lose their accents; unlike
 * in Argo CD those of other scripts become `-`.
 */
export function branchSlug(branch: string): string {
  const plain = Array.from(branch.trim().toLowerCase(), (character) => letters.get(character) ?? character)
    .join('')
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
  const slug = plain.replaceAll(/[^a-z0-9]+/gu, '-').replaceAll(/^-|-$/g, '')
  if (slug.length <= maxLength) return slug
  const lastWord = slug.lastIndexOf('-', maxLength)
  return slug.slice(0, lastWord < 0 ? maxLength : lastWord)
}
