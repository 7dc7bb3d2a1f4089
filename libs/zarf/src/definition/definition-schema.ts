import { jsonMergePatch } from '@wadi/fields/json-merge-patch.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { knownSchema } from '@wadi/params/schema/known-schema.ts'
import { nearestPart } from '@wadi/params/values/located.ts'
import { Float } from '@wadi/params/values/value.ts'
import type { Located, Value } from '@wadi/params/values/value.ts'
import type { Finding } from '../lint/finding.ts'
import alphaPackage from './published/zarf-v1alpha1-schema.json' with { type: 'json' }
import betaComponent from './published/zarf-v1beta1-component-schema.json' with { type: 'json' }
import betaPackage from './published/zarf-v1beta1-package-schema.json' with { type: 'json' }

/** The record of a build may come from a newer Zarf. */
const anyBuild = { properties: { build: { $ref: null } } }

/** The form of the proposal, `path`, and the types that Zarf's program takes. */
const setValue = {
  properties: { path: { type: 'string' }, type: { type: 'string', enum: ['string', 'json', 'yaml'] } },
}

const valuePath = { pattern: String.raw`^(\.|\.[a-zA-Z0-9_-]+(\.[a-zA-Z0-9_-]+)*)$` }

const alphaChanges = {
  ...anyBuild,
  $defs: {
    SetValue: setValue,
    ZarfComponent: {
      properties: {
        stateAccess: { items: { enum: ['registryCredentials', 'gitCredentials', 'agentCerts'] } },
      },
    },
  },
}

/** A chart that changes an imported one has no source; of one with several `definition-file.ts` names them. */
const betaDefinitions = {
  SetValue: setValue,
  Chart: { oneOf: null },
  // As in v1alpha1, though Zarf's schema forgets it.
  ChartValue: { properties: { sourcePath: valuePath, targetPath: valuePath } },
}

const schemas = {
  /** A package definition of zarf.dev/v1alpha1. */
  alphaPackage: definitionSchema(alphaPackage, alphaChanges),
  /** A package definition of zarf.dev/v1beta1. */
  betaPackage: definitionSchema(betaPackage, { ...anyBuild, $defs: betaDefinitions }),
  /** A component of zarf.dev/v1beta1 in a file of its own. */
  betaComponent: definitionSchema(betaComponent, { $defs: betaDefinitions }),
}

function definitionSchema(published: object, changes: object): ReturnType<typeof knownSchema> {
  return knownSchema(() => {
    const schema = jsonMergePatch(published, changes)
    return isJsonObject(schema) ? schema : {}
  })
}

/** Adds a finding for each part of a definition that its schema rejects, in the words of Zarf's lint. */
export function checkDefinition(located: Located, schema: keyof typeof schemas, findings: Finding[]): void {
  for (const { path, keyword, text, place } of schemas[schema](located.value)) {
    const field = path.map((key) => (typeof key === 'number' ? `.[${key}]` : `.${key}`)).join('')
    const { part } = nearestPart(located, place)
    const message = `${field || '(root)'} | ${detailed(text, keyword, part.value)}`
    findings.push({ severity: 'error', message, at: part.at })
  }
}

function detailed(text: string, keyword: string, value: Value): string {
  if (keyword === 'pattern' && typeof value === 'string') return `${text}: ${value}`
  return keyword === 'type' && value instanceof Float ? text.replace(/integer$/, 'number') : text
}
