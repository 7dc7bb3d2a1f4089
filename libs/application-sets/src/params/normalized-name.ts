const maxLength = 253

/** The only letter that Go makes one of the allowed characters of and JavaScript two characters. */
const dottedCapitalI = '\u0130'

/**
 * A DNS name of any text, as Argo CD makes `basenameNormalized` and its like: lower case, `-` for every character
 * outside of `[-a-z0-9.]`, at most 253 characters, without `-` and `.` at the ends.
 */
export function normalizedName(text: string): string {
  return text
    .replaceAll(dottedCapitalI, 'i')
    .toLowerCase()
    .replaceAll(/[^-a-z0-9.]/gu, '-')
    .slice(0, maxLength)
    .replace(/^[-.]+/, '')
    .replace(/[-.]+$/, '')
}
