import { isJsonObject } from '@wadi/fields/json-object.ts'
import type { Manifest } from '@wadi/manifests/manifest.ts'
import { configMap, deployment } from './sample-objects-fixture.ts'

/** A form of a policy about changes, with an object, a change of it that is rejected and one that is accepted. */
export interface UpdateForm {
  readonly name: string
  readonly spec: Manifest
  /** Default: both operations. */
  readonly operations?: string[]
  /** The labels that objects are selected by; default: all. */
  readonly labels?: Manifest
  readonly former: Manifest
  readonly rejected: Manifest
  readonly accepted: Manifest
}

function judging(expression: string): Manifest {
  return { validations: [{ expression, message: 'is rejected' }] }
}

/** The forms of changes that the gate and a real API server are compared by. */
export const updateForms: readonly UpdateForm[] = [
  {
    name: 'immutable',
    spec: judging('oldObject == null || object.data.mode == oldObject.data.mode'),
    former: configMap({ mode: 'safe' }),
    rejected: configMap({ mode: 'fast' }),
    accepted: configMap({ mode: 'safe', other: 'new' }),
  },
  {
    name: 'update-only',
    operations: ['UPDATE'],
    spec: judging('object.spec.replicas * 2 >= oldObject.spec.replicas'),
    former: deployment({}, { replicas: 8 }),
    rejected: deployment({}, { replicas: 3 }),
    accepted: deployment({}, { replicas: 4 }),
  },
  {
    name: 'former-defaults',
    spec: judging('request.operation != "UPDATE" || oldObject.spec.replicas == object.spec.replicas'),
    former: deployment({}),
    rejected: deployment({}, { replicas: 2 }),
    accepted: deployment({ image: 'web:2.0' }, { replicas: 1 }),
  },
  {
    name: 'former-label',
    labels: { tier: 'gold' },
    spec: judging("object.data.mode == 'safe'"),
    former: configMap({ mode: 'safe' }, { labels: { tier: 'gold' } }),
    rejected: configMap({ mode: 'fast' }),
    accepted: configMap({ mode: 'safe' }),
  },
  {
    name: 'condition-on-operation',
    spec: {
      matchConditions: [{ name: 'update', expression: "request.operation == 'UPDATE'" }],
      validations: [
        {
          expression: 'request.options.kind != "UpdateOptions" || has(object.data.reason)',
          messageExpression:
            "'from ' + oldObject.data.mode + ' to ' + object.data.mode + ' without a reason'",
        },
      ],
    },
    former: configMap({ mode: 'safe' }),
    rejected: configMap({ mode: 'fast' }),
    accepted: configMap({ mode: 'fast', reason: 'speed' }),
  },
]

/** Returns an object as one of a form. */
export function named({ name }: Pick<UpdateForm, 'name'>, object: Manifest): Manifest {
  const { metadata } = object
  return isJsonObject(metadata) ? { ...object, metadata: { ...metadata, name } } : object
}

/** Returns the policy of a form, for objects of its name, and its binding. */
export function updatePolicyOf({
  name,
  spec,
  operations = ['CREATE', 'UPDATE'],
  labels,
}: UpdateForm): readonly [Manifest, Manifest] {
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const rule = {
    apiGroups: ['', 'apps'],
    apiVersions: ['v1'],
    operations,
    resources: ['configmaps', 'deployments'],
    resourceNames: [name],
  }
  const objectSelector = labels === undefined ? {} : { matchLabels: labels }
  const matchConstraints = { resourceRules: [rule], objectSelector }
  const metadata = { name }
  return [
    { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata, spec: { matchConstraints, ...spec } },
    {
      apiVersion,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata,
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ]
}
