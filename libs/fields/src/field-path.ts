/** A key that stands in a path as it is. */
const plainKey = /^[^\s\p{Cc}]+$/u

/** Returns a field's path as users write it: `helm.parameters[0].value`; nothing for the root. Odd keys are quoted: `map["a b"]`. */
export function fieldPath(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    const key = String(step)
    if (!plainKey.test(key)) return `${path}[${JSON.stringify(key)}]`
    return path === '' ? key : `${path}.${key}`
  }, '')
}
