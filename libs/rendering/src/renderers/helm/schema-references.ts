import { InvalidInputError, errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'

/** The base of relative references in Helm: the root of the machine. */
const base = 'file:///values.schema.json'

/** The schemas of the standard itself, which Helm has with it. */
const knownSchemas =
  /^https?:\/\/json-schema\.org\/(?:schema|draft-0[4-7]\/(?:schema|hyper-schema)|draft\/20(?:19-09|20-12)\/(?:schema|meta\/[\w-]+))#?$/

const references = ['$ref', '$dynamicRef', '$recursiveRef', '$schema']

/** Deepest nesting, far above what schemas have. */
const deepest = 500

/**
 * Rejects a schema of a chart's values that makes Helm read a file of the machine or ask the network. What a reference names
 * must be in the schema itself, as Helm looks for files at the root of the machine and never beside the chart.
 * @param file names the schema in messages
 * @throws InvalidInputError (`file:line: …`) for such a reference, and for text that is not JSON
 */
export function checkSchemaReferences(text: string, file: string): void {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch (cause) {
    throw new InvalidInputError(`not JSON: ${errorMessage(cause)}`, { at: { file }, cause })
  }
  const known = new Set([base])
  const found: { keyword: string; reference: string; from: string }[] = []
  const visit = (value: unknown, from: string, depth: number): void => {
    if (depth > deepest) throw new InvalidInputError(`nested deeper than ${deepest} levels`, { at: { file } })
    if (Array.isArray(value)) for (const item of value) visit(item, from, depth + 1)
    if (!isJsonObject(value)) return
    const own = [value['$id'], value['id']].find((id) => typeof id === 'string')
    const here = own === undefined ? from : resolved(own, from)
    known.add(withoutFragment(here))
    for (const keyword of references) {
      const reference = value[keyword]
      if (typeof reference === 'string') found.push({ keyword, reference, from: here })
    }
    for (const child of Object.values(value)) visit(child, here, depth + 1)
  }
  visit(schema, base, 0)
  for (const { keyword, reference, from } of found) {
    const target = resolved(reference, from)
    const isInside =
      known.has(withoutFragment(target)) || knownSchemas.test(target) || target.startsWith('urn:')
    if (isInside) continue
    throw new InvalidInputError(
      `${keyword} "${reference}" leads out of the schema, and Helm would read it from the machine or the network; put the definition under $defs and refer to it as #/$defs/name`,
      { at: { file, line: lineOfText(text, JSON.stringify(reference)) } },
    )
  }
}

function resolved(reference: string, from: string): string {
  return URL.parse(reference, from)?.href ?? reference
}

function withoutFragment(url: string): string {
  const [before = ''] = url.split('#', 1)
  return before
}

/** The line on which a part of a text first stands, from 1; 1 too when it stands nowhere in this spelling. */
function lineOfText(text: string, part: string): number {
  return text.slice(0, Math.max(0, text.indexOf(part))).split('\n').length
}
