import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { manifestToJson } from '@wadi/manifests/manifest-json.ts'
import { parseConfigs } from '../../../source/config-file.ts'
import { namedPathForm } from '../../../parameters/edit/entry-forms.ts'
import {
  type SourceOption,
  entriesOption,
  listOption,
  switchOption,
  textOption,
} from '../../../parameters/edit/source-option.ts'

/** `values` and, over it, `valuesObject`: two ways of writing the same, of which users get one. */
const inlineValues: SourceOption = {
  ...textOption({
    name: 'values',
    tooltip: 'Values as YAML, set over the value files; `valuesObject` is shown and replaced as well.',
    path: ['helm', 'values'],
  }),
  type: 'multiline-string',
  overridingPath: ['helm', 'valuesObject'],
  read: ({ helm }) => {
    if (helm?.valuesObject !== undefined)
      return { kind: 'string', text: `${manifestToJson(helm.valuesObject)}\n` }
    return helm?.values === undefined ? undefined : { kind: 'string', text: helm.values }
  },
  change: (_, value) => {
    const text = value?.kind === 'string' ? value.text : undefined
    if (text !== undefined && !parseConfigs(text, 'values').every((config) => isJsonObject(config.value))) {
      throw new InvalidInputError('values: must be an object, not a list or a string')
    }
    return [
      { path: ['helm', 'valuesObject'], value: undefined },
      { path: ['helm', 'values'], value: text },
    ]
  },
}

/** The options of charts that users see and set as parameters. */
export const helmOptions: readonly SourceOption[] = [
  listOption({
    name: 'value-files',
    tooltip: 'Value files in the order in which they are merged, relative to the source’s directory.',
    path: ['helm', 'valueFiles'],
  }),
  inlineValues,
  textOption({
    name: 'release-name',
    tooltip: 'The name of the release, which charts use in the names of objects.',
    path: ['helm', 'releaseName'],
  }),
  textOption({
    name: 'namespace',
    tooltip: 'The namespace of the release; without it the Application’s destination decides.',
    path: ['helm', 'namespace'],
  }),
  textOption({
    name: 'kube-version',
    tooltip: 'The Kubernetes version that the chart sees.',
    path: ['helm', 'kubeVersion'],
  }),
  listOption({
    name: 'api-versions',
    tooltip: 'The API versions that the chart sees.',
    path: ['helm', 'apiVersions'],
  }),
  switchOption({
    name: 'skip-crds',
    tooltip: 'Leaves out what is in the chart’s crds directory.',
    path: ['helm', 'skipCrds'],
  }),
  switchOption({
    name: 'skip-tests',
    tooltip: 'Leaves out the chart’s tests.',
    path: ['helm', 'skipTests'],
  }),
  switchOption({
    name: 'skip-schema-validation',
    tooltip: 'Does not check the values with the chart’s schema.',
    path: ['helm', 'skipSchemaValidation'],
  }),
  switchOption({
    name: 'pass-credentials',
    tooltip: 'Sends the credentials of a chart repository to every host that it leads to.',
    path: ['helm', 'passCredentials'],
  }),
  switchOption({
    name: 'ignore-missing-value-files',
    tooltip: 'Passes over value files that do not exist.',
    path: ['helm', 'ignoreMissingValueFiles'],
  }),
  entriesOption(
    {
      name: 'file-parameters',
      tooltip: 'Values that are the contents of files, by the name of the value.',
      path: ['helm', 'fileParameters'],
    },
    'string',
    namedPathForm,
  ),
]
