import type { Located } from '@wadi/params/values/value.ts'
import type {
  Blueprint,
  BlueprintParam,
  BlueprintResource,
  ResourceInput,
  TemplateOption,
} from './cartographer-objects.ts'
import { checkBlueprint, checkSelector } from './check-blueprint.ts'
import { Findings } from '../findings.ts'
import { ObjectFields } from './object-fields.ts'
import { readSelector } from '../select/selector.ts'
import type { Selector } from '../select/selector.ts'

/** Annotation of a chain that lets workloads set parameters which it does not list, as Cartographer does. */
const undeclaredParamsAnnotation = 'wadi.dev/undeclared-params'

/** Reads a chain or delivery, with the checks of Cartographer's admission. */
export function readBlueprint(
  located: Located,
  kind: Blueprint['kind'],
  name: string,
  findings: Findings,
): Blueprint {
  const fields = new ObjectFields(located, `${kind} [${name}]: `, findings)
  const undeclared = fields.map('metadata').map('annotations').any(undeclaredParamsAnnotation)
  if (undeclared !== undefined && undeclared.value !== 'allow') {
    const message = `annotation ${undeclaredParamsAnnotation} must be "allow", or absent`
    findings.add(undeclared.at, `${kind} [${name}]: ${message}`)
  }
  const spec = fields.map('spec')
  const refuse = (at: Located['at'], message: string): void =>
    findings.add(at, `error validating ${kind.toLowerCase()} [${name}]: ${message}`)
  const { selector, selectorFindings } = readChainSelector(spec, kind, name)
  findings.addAll(selectorFindings)
  const blueprint: Blueprint = {
    kind,
    name,
    selector,
    hasKnownSelector: selectorFindings.isEmpty,
    params: readParams(spec, '', refuse),
    resources: spec.maps('resources').map((resource) => readResource(resource, refuse)),
    allowsUndeclaredParams: undeclared?.value === 'allow',
    findings,
    at: fields.at,
  }
  checkBlueprint(blueprint, spec.at, refuse)
  return blueprint
}

/** Reads whom a chain selects; what is wrong there is kept apart, as the selector cannot be relied on then. */
function readChainSelector(
  spec: ObjectFields,
  kind: Blueprint['kind'],
  name: string,
): { selector: Selector; selectorFindings: Findings } {
  const selectorFindings = new Findings()
  const fields = new ObjectFields(spec.located, `${kind} [${name}]: spec.`, selectorFindings)
  const selector = readSelector(fields, {
    labels: 'selector',
    expressions: 'selectorMatchExpressions',
    fields: 'selectorMatchFields',
  })
  if (selectorFindings.isEmpty) {
    checkSelector({ kind, selector }, (message) =>
      selectorFindings.add(spec.at, `error validating ${kind.toLowerCase()} [${name}]: ${message}`),
    )
  }
  return { selector, selectorFindings }
}

function readResource(
  fields: ObjectFields,
  refuse: (at: Located['at'], message: string) => void,
): BlueprintResource {
  const name = fields.requiredText('name')
  const reference = fields.map('templateRef')
  const deployment = fields.any('deployment') === undefined ? undefined : fields.map('deployment')
  return {
    name,
    templateKind: reference.requiredText('kind'),
    templateName: reference.text('name'),
    options: reference.maps('options').map(readOption),
    params: readParams(fields, `resource [${name}] is invalid: `, refuse),
    sources: readInputs(fields.maps('sources')),
    images: readInputs(fields.maps('images')),
    configs: readInputs(fields.maps('configs')),
    deployment: deployment?.requiredText('resource'),
    at: fields.at,
  }
}

function readOption(option: ObjectFields): TemplateOption {
  return {
    name: option.text('name'),
    passThrough: option.text('passThrough'),
    selector: readSelector(option.map('selector'), {
      labels: 'matchLabels',
      expressions: 'matchExpressions',
      fields: 'matchFields',
    }),
  }
}

function readInputs(items: readonly ObjectFields[]): ResourceInput[] {
  return items.map((item) => ({ name: item.requiredText('name'), resource: item.requiredText('resource') }))
}

/** Reads the parameters that a chain or resource lists. As in Cartographer, null is not a value and a later entry applies. */
function readParams(
  from: ObjectFields,
  prefix: string,
  refuse: (at: Located['at'], message: string) => void,
): BlueprintParam[] {
  const params = new Map<string, BlueprintParam>()
  for (const param of from.maps('params')) {
    const name = param.requiredText('name')
    const [value, fallback] = [param.any('value'), param.any('default')]
    if (value !== undefined && fallback !== undefined) {
      refuse(param.at, `${prefix}param [${name}] is invalid: must set exactly one of value and default`)
    }
    params.delete(name)
    params.set(name, {
      name,
      mode: value !== undefined ? 'value' : fallback === undefined ? 'pinned' : 'default',
      value: value ?? fallback,
      workloadParamName: param.text('workload-param-name') || name,
      at: param.at,
    })
  }
  return Array.from(params.values())
}
