const units = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
] as const

/** A number of bytes for people, such as `1 GiB`. */
export function sizeText(bytes: number): string {
  const [unit, size] = units.find(([, least]) => bytes >= least && Number.isInteger(bytes / least)) ?? [
    'bytes',
    1,
  ]
  return `${bytes / size} ${unit}`
}
