/** Keys and list positions that lead to a value. */
export type ValuePath = readonly (string | number)[]

/** Helm's own limits for one name: list positions up to here, and so many keys inside one another. */
const maxIndex = 65_536
const deepestName = 30

/** Writes the path of a value as Helm's `--set` takes it: `image.tag`, `hosts[0]`, `annotations.example\.com/a`. */
export function setName(path: ValuePath): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    const key = step.replaceAll(/[\\.[\],=]/g, String.raw`\$&`)
    return name === '' ? key : `${name}.${key}`
  }, '')
}

/** Reads a name of Helm's `--set`; undefined for one that is malformed or names several values. */
export function parseSetName(name: string): ValuePath | undefined {
  const path: (string | number)[] = []
  let rest = name
  for (;;) {
    const [key = ''] = /^(?:\\[^]|[^\\.[\],=])*/.exec(rest) ?? []
    if (key === '' || path.length > deepestName) return undefined
    path.push(unescaped(key))
    rest = rest.slice(key.length)
    for (let index; (index = /^\[(\d{1,5})\]/.exec(rest)) !== null; rest = rest.slice(index[0].length)) {
      path.push(Number(index[1]))
    }
    if (path.some((step) => typeof step === 'number' && step > maxIndex)) return undefined
    if (rest === '') return path
    if (!rest.startsWith('.')) return undefined
    rest = rest.slice(1)
  }
}

/** Returns a text without the backslashes that `--set` escapes with. */
export function unescaped(text: string): string {
  return text.replaceAll(/\\([^])/g, '$1')
}
