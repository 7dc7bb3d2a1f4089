import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { findRemovedApi } from '../api-versions/removed-apis.ts'
import type { Gate, Violation } from '../gate.ts'
import { checkCustom } from './custom/check-custom.ts'
import { type CustomKind, customKinds } from './custom/custom-kinds.ts'
import { checkBuiltIn } from './kubernetes/check-built-in.ts'
import { type KubernetesSchemas, kubernetesSchemas } from './kubernetes/kubernetes-schemas.ts'
import { beginCheck, endCheck } from './object-check.ts'
import { unknownKind } from './unknown-kind.ts'

/** Finds what the API server would reject by the schema of an object's kind, with `--validate=strict`. */
export const schemasGate: Gate = {
  name: 'schemas',
  async check(objects, { cluster, definitions = [] }) {
    const schemas = await kubernetesSchemas(cluster.minorVersion)
    const known: KnownKinds = {
      schemas,
      custom: customKinds([...definitions, ...objects]),
      minorVersion: cluster.minorVersion,
    }
    return objects.map((object) => checkObject(object, known))
  },
}

interface KnownKinds {
  readonly schemas: KubernetesSchemas
  readonly custom: ReadonlyMap<string, CustomKind>
  readonly minorVersion: number
}

function checkObject(object: Manifest, { schemas, custom, minorVersion }: KnownKinds): readonly Violation[] {
  const { group, version, kind } = manifestIdentity(object)
  const check = beginCheck()
  const builtIn = { definitions: schemas.definitions, title: `Kubernetes 1.${minorVersion}` }
  const name = `${group === '' ? '' : `${group}/`}${version} ${kind}`
  const definition = Object.hasOwn(schemas.kinds, name) ? schemas.kinds[name] : undefined
  const customKind = custom.get(`${group} ${kind}`)
  if (definition !== undefined) checkBuiltIn(object, { $ref: definition }, builtIn, check)
  else if (customKind !== undefined)
    checkCustom(object, { customKind, version, minorVersion, builtIn }, check)
  // The gate `api-versions` finds it.
  else if (findRemovedApi(object, minorVersion) === undefined)
    unknownKind(object, builtIn.title, schemas, check)
  return endCheck(check)
}
