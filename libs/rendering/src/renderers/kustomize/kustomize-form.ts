import { createHash } from 'node:crypto'
import { byKey } from '@wadi/order/by-name.ts'
import { parseConfigs } from '../../source/config-file.ts'

/** Fields whose values choose among the features of Kustomize, wherever they stand. */
const choosingFields = new Set(['kind', 'apiVersion', 'behavior', 'order', 'version', 'op', 'buildMetadata'])

/** Names of fields in YAML that stands in a string, such as a patch. */
const nameInText = /^[\s-]*"?([\w$./-]+)"?:/gm

/** The fields that decide how Kustomize treats an object of a file: its type, and the directives of a patch. */
const choiceInFile = /^[\s-]*"?(?:apiVersion|kind|op|\$patch)"?:\s*"?[\w./-]+/gm

/**
 * Equal for builds that ask the same of Kustomize: whose kustomizations have the same fields, whatever their values, and whose
 * other files have objects of the same types. Overlays of one base that differ in names, images or numbers are equal, before
 * and after a change of the base.
 * @param kustomizations the texts of all kustomizations, that of the build first
 * @param others the texts of the other files that are read as YAML
 */
export function kustomizationForm(kustomizations: readonly string[], others: readonly string[]): string {
  const [own, ...referred] = kustomizations.map((text) =>
    parseConfigs(text, 'kustomization').map(({ value }) => formOf('', value)),
  )
  const choices = others.flatMap((text) => [...text.matchAll(choiceInFile)].map(([line]) => line.trim()))
  const form = JSON.stringify([own, unique(referred.flat()), unique(choices)])
  return createHash('sha256').update(form).digest('hex')
}

function formOf(field: string, value: unknown): string {
  if (Array.isArray(value)) return `[${unique(value.map((item) => formOf(field, item))).join()}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(byKey)
    return `{${entries.map(([name, child]) => `${JSON.stringify(name)}:${formOf(name, child)}`).join()}}`
  }
  if (typeof value !== 'string') return typeof value === 'boolean' ? String(value) : typeof value
  if (choosingFields.has(field)) return JSON.stringify(value)
  if (!value.includes('\n')) return 'text'
  return `yaml(${unique([...value.matchAll(nameInText)].map(([, name = '']) => name)).join()})`
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted()
}
