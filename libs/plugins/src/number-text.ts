const number = /^[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d+)?$/

/** True if a string is a decimal number: a sign, digits with a point and an exponent, all but some digits optional. */
export function isNumberText(text: string): boolean {
  return number.test(text)
}

/** The same number by the grammar of JSON, which knows no `+`, no leading zeros and no bare point; other texts are `undefined`. */
export function jsonNumberText(text: string): string | undefined {
  const [, digits, exponent = ''] = number.exec(text) ?? []
  if (digits === undefined) return undefined
  const [whole = '', fraction = ''] = digits.split('.')
  const sign = text.startsWith('-') ? '-' : ''
  const point = fraction === '' ? '' : `.${fraction}`
  return `${sign}${whole.replace(/^0+(?=\d)/, '') || '0'}${point}${exponent}`
}
