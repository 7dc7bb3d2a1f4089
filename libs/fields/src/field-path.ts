/** Returns a field's path as users write it: `helm.parameters[0].value`; nothing for the root. */
export function fieldPath(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`
    return path === '' ? String(step) : `${path}.${String(step)}`
  }, '')
}
