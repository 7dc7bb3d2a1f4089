import { partOf } from '@wadi/params/values/located.ts'
import type { Located } from '@wadi/params/values/value.ts'
import type { OutputName, OutputPath, Template, TemplateKind } from './cartographer-objects.ts'
import type { Findings } from '../findings.ts'
import { ObjectFields } from './object-fields.ts'

const outputFields: Record<TemplateKind, readonly [field: string, output: OutputName][]> = {
  ClusterTemplate: [],
  ClusterSourceTemplate: [
    ['urlPath', 'url'],
    ['revisionPath', 'revision'],
  ],
  ClusterImageTemplate: [['imagePath', 'image']],
  ClusterConfigTemplate: [['configPath', 'config']],
  ClusterDeploymentTemplate: [],
}

/** Annotation of a template whose object is needed for its outputs alone: `wadi.dev/emit: "false"`. */
const emitAnnotation = 'wadi.dev/emit'

/** Reads a template of any kind, with the checks of Cartographer's admission. */
export function readTemplate(
  located: Located,
  kind: TemplateKind,
  name: string,
  findings: Findings,
): Template {
  const fields = new ObjectFields(located, `${kind} [${name}]: `, findings)
  const annotation = fields.map('metadata').map('annotations').any(emitAnnotation)
  if (annotation !== undefined && annotation.value !== 'false' && annotation.value !== 'true') {
    findings.add(annotation.at, `${kind} [${name}]: annotation ${emitAnnotation} must be "true" or "false"`)
  }
  const spec = fields.map('spec')
  const template: Template = {
    kind,
    name,
    params: spec.maps('params').map((param) => ({
      name: param.requiredText('name'),
      default: param.required('default'),
    })),
    template: spec.any('template') === undefined ? undefined : spec.map('template').located,
    ytt: yttOf(spec),
    outputs: outputFields[kind].map((output) => readOutputPath(spec, output)),
    lifecycle: spec.text('lifecycle') || 'mutable',
    isEmitted: annotation?.value !== 'false',
    findings,
    at: fields.at,
  }
  checkTemplate(template, spec, findings)
  return template
}

function yttOf(spec: ObjectFields): Template['ytt'] {
  const text = spec.text('ytt')
  return text === '' ? undefined : { text, at: spec.any('ytt')?.at ?? spec.at }
}

function readOutputPath(spec: ObjectFields, [field, name]: readonly [string, OutputName]): OutputPath {
  return { name, field, path: spec.requiredText(field), at: spec.any(field)?.at ?? spec.at }
}

function checkTemplate(
  { kind, name, template, ytt }: Template,
  spec: ObjectFields,
  findings: Findings,
): void {
  const refuse = (part: Located | undefined, message: string): void =>
    findings.add(part?.at ?? spec.at, `${kind} [${name}]: ${message}`)
  if (template === undefined && ytt === undefined) {
    refuse(undefined, 'invalid template: must specify one of template or ytt, found neither')
  }
  if (template !== undefined && ytt !== undefined) {
    refuse(undefined, 'invalid template: must specify one of template or ytt, found both')
  }
  const metadata = template === undefined ? undefined : partOf(template, 'metadata')
  const namespace = metadata === undefined ? undefined : partOf(metadata, 'namespace')
  if (typeof namespace?.value === 'string' && namespace.value !== '') {
    refuse(namespace, 'invalid template: template should not set metadata.namespace on the child object')
  }
  if (spec.any('retentionPolicy') !== undefined && spec.text('lifecycle') === 'mutable') {
    refuse(
      spec.any('retentionPolicy'),
      'invalid template: if lifecycle is mutable, no retention policy may be set',
    )
  }
  if (!['', 'mutable', 'immutable', 'tekton'].includes(spec.text('lifecycle'))) {
    refuse(spec.any('lifecycle'), 'spec.lifecycle must be mutable, immutable or tekton')
  }
  checkHealthRule(spec, refuse)
  const isObserved = spec.any('observedMatches') !== undefined
  if (kind === 'ClusterDeploymentTemplate' && isObserved === (spec.any('observedCompletion') !== undefined)) {
    refuse(
      undefined,
      'invalid spec: must set exactly one of spec.ObservedMatches and spec.ObservedCompletion',
    )
  }
}

function checkHealthRule(
  spec: ObjectFields,
  refuse: (part: Located | undefined, message: string) => void,
): void {
  const written = spec.any('healthRule')
  if (written === undefined) return
  const rule = spec.map('healthRule')
  const rules = ['alwaysHealthy', 'singleConditionType', 'multiMatch'].filter(
    (field) => rule.any(field) !== undefined,
  )
  if (rules.length === 1) return
  const found = rules.length === 0 ? 'neither' : 'multiple'
  refuse(
    written,
    `invalid health rule: must specify one of alwaysHealthy, singleConditionType or multiMatch, found ${found}`,
  )
}
