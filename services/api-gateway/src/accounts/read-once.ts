/** Returns `read` with its results remembered for as long as what they were read from lives. */
export function readOnce<Source extends WeakKey, Value>(
  read: (source: Source) => Value,
): (source: Source) => Value {
  const known = new WeakMap<Source, { value: Value }>()
  return (source) => {
    const remembered = known.get(source) ?? { value: read(source) }
    known.set(source, remembered)
    return remembered.value
  }
}
