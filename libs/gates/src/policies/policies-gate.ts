import {
  judgeByPolicies,
  type PolicyObject,
  type PolicyRequest,
  type PolicyVerdict,
} from '@wadi/engines/policies/policies.ts'
import { formatLocation } from '@wadi/errors/location.ts'
import { textAt } from '@wadi/fields/json-fields.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { type Manifest, manifestIdentity } from '@wadi/manifests/manifest.ts'
import { locationAt } from '@wadi/params/values/located.ts'
import type { Severity } from '../finding.ts'
import type { Gate, GateContext, PolicyFile, SettingsViolation, Violation } from '../gate.ts'
import { type KindResource, kindResources } from './kind-resources.ts'
import type { LocatedObject } from '../located-objects.ts'
import { readPolicies } from './read-policies.ts'

/** More would take much memory, which the program does not give back. */
const maxObjectsAtOnce = 50

const maxMessageLength = 900

const policyKind = 'ValidatingAdmissionPolicy'

/** The rule that policies themselves break. */
const invalid = 'invalid'

/** The facts that policies judge by. */
interface PolicyContext extends GateContext {
  /** Objects whose Namespaces are known besides those of the policies. */
  readonly namespaces?: readonly Manifest[]
}

const severities: Record<PolicyVerdict['action'], Severity> = { Deny: 'deny', Warn: 'warn', Audit: 'audit' }

/** Judges objects by ValidatingAdmissionPolicies of the repository, as the API server would. */
export const policiesGate: Gate = {
  name: 'policies',
  rules: ({ policies }) => policyRules(policies),
  check: (objects, context) =>
    judge(objects, context.policies, {
      ...context,
      definitions: [...(context.definitions ?? []), ...objects],
      namespaces: objects,
    }),
  checkSettings: (context) => findInvalid(context.policies, context),
}

/** Does the same by those of the operator. */
export const operatorPoliciesGate = foreignPoliciesGate(
  'operator-policies',
  ({ operatorPolicies }) => operatorPolicies,
)

/** Does the same by those of the cluster. */
export const clusterPoliciesGate = foreignPoliciesGate(
  'cluster-policies',
  ({ clusterPolicies }) => clusterPolicies,
)

/** Returns the gate for policies in whose judgement no definition, Namespace or policy of the repository has a part. */
function foreignPoliciesGate(
  name: string,
  policiesOf: (context: GateContext) => readonly PolicyFile[] | undefined,
): Gate {
  return {
    name,
    rules: (context) => policyRules(policiesOf(context)),
    check: (objects, context) => judge(objects, policiesOf(context), { ...context, definitions: [] }),
    async checkSettings(context) {
      const found = await findInvalid(policiesOf(context), { ...context, definitions: [] })
      return found.map(({ at, ...violation }) => {
        const place = at && `${formatLocation(at)}: `
        return { ...violation, message: `${place ?? ''}${violation.message}`, at: undefined }
      })
    },
  }
}

function policyRules(files: readonly PolicyFile[] = []): string[] {
  const policies = readPolicies(files).filter(({ manifest }) => manifest['kind'] === policyKind)
  return [invalid, ...policies.map(({ manifest }) => manifestIdentity(manifest).name)]
}

async function judge(
  objects: readonly Manifest[],
  policies: readonly PolicyFile[] = [],
  context: PolicyContext,
): Promise<Violation[][]> {
  const violations = objects.map((): Violation[] => [])
  const documents = readPolicies(policies)
  if (documents.length === 0) return violations
  const request = requestOf(objects, documents, context)
  for (let start = 0; start < objects.length; start += maxObjectsAtOnce) {
    const some = request.objects.slice(start, start + maxObjectsAtOnce)
    const { verdicts } = await judgeByPolicies({ ...request, objects: some })
    for (const verdict of verdicts) violations[start + verdict.object]?.push(violationOf(verdict))
  }
  return violations
}

async function findInvalid(
  policies: readonly PolicyFile[] = [],
  context: GateContext,
): Promise<readonly SettingsViolation[]> {
  const documents = readPolicies(policies)
  if (documents.length === 0) return []
  const judged = await judgeByPolicies(requestOf([], documents, context))
  return judged.invalid.flatMap(({ policy, path, message, isIgnored }) => {
    const document = documents[policy]
    if (document === undefined) return []
    const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
    const at = locationAt(document.located, keys)
    const severity = isIgnored ? 'warn' : 'deny'
    return [{ rule: invalid, field: path, message, written: [], severity, object: document.manifest, at }]
  })
}

function violationOf({ policy, action, message }: PolicyVerdict): Violation {
  const line = message.replace(/\s+/g, ' ').trim()
  // An expression comes before the reason why it failed.
  const short = line.length > maxMessageLength ? `${line.slice(0, 400)} … ${line.slice(-400)}` : line
  return { rule: policy, field: '', message: short, written: [], severity: severities[action] }
}

function requestOf(
  objects: readonly Manifest[],
  documents: readonly LocatedObject[],
  { definitions = [], namespaces = [], former = [], namespace = 'default' }: Omit<PolicyContext, 'cluster'>,
): PolicyRequest {
  const manifests = documents.map(({ manifest }) => manifest)
  const resourceOf = kindResources([...definitions, ...manifests])
  const placeOf = (manifest: Manifest) => placed(manifest, resourceOf, () => namespace)
  const before = new Map(former.map((manifest) => [identityKey(manifest, placeOf(manifest)), manifest]))
  return {
    policies: JSON.stringify(
      manifests.map((manifest) => ({
        ...policyObject(manifest, undefined, placed(manifest, resourceOf, unplaced)),
        ...paramsScope(manifest, resourceOf),
      })),
    ),
    objects: objects.map((manifest) => {
      const place = placeOf(manifest)
      return policyObject(manifest, before.get(identityKey(manifest, place)), place)
    }),
    namespaces: [...namespaces, ...manifests]
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
      .map(manifestToJson),
  }
}

function paramsScope(
  { spec }: Manifest,
  resourceOf: (group: string, kind: string) => KindResource,
): Pick<PolicyObject, 'paramsScope'> {
  const [group = '', version] = textAt(spec, 'paramKind', 'apiVersion').split('/')
  const { scope } = resourceOf(version === undefined ? '' : group, textAt(spec, 'paramKind', 'kind'))
  return scope === undefined ? {} : { paramsScope: scope }
}

/** The namespace of parameters that name none. */
function unplaced(scope: KindResource['scope']): string {
  return scope === 'Namespaced' ? 'default' : ''
}

/** The place of an object in the Kubernetes API. */
type Place = Pick<PolicyObject, 'resource' | 'namespace'>

/** Returns the place of an object. A kind without namespaces has none, whatever the object names, as in a cluster. */
function placed(
  manifest: Manifest,
  resourceOf: (group: string, kind: string) => KindResource,
  defaultNamespace: (scope: KindResource['scope']) => string,
): Place {
  const { group, kind, namespace } = manifestIdentity(manifest)
  const { resource, scope } = resourceOf(group, kind)
  return { resource, namespace: scope === 'Cluster' ? '' : namespace || defaultNamespace(scope) }
}

function policyObject(manifest: Manifest, former: Manifest | undefined, place: Place): PolicyObject {
  return {
    object: manifestToJson(manifest),
    former: former === undefined ? '' : manifestToJson(former),
    ...place,
  }
}

function identityKey(manifest: Manifest, { namespace }: Place): string {
  const { group, kind, name } = manifestIdentity(manifest)
  return JSON.stringify([group, kind, namespace, name])
}
