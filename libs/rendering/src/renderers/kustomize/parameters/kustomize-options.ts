import { imageForm, replicaForm } from './kustomize-forms.ts'
import {
  type SourceOption,
  entriesOption,
  listOption,
  recordOption,
  textOption,
} from '../../../parameters/edit/source-option.ts'

/** The options of kustomizations that users see and set as parameters. */
export const kustomizeOptions: readonly SourceOption[] = [
  textOption({
    name: 'name-prefix',
    tooltip: 'Prefix for the name of every object.',
    path: ['kustomize', 'namePrefix'],
  }),
  textOption({
    name: 'name-suffix',
    tooltip: 'Suffix for the name of every object.',
    path: ['kustomize', 'nameSuffix'],
  }),
  textOption({
    name: 'namespace',
    tooltip: 'The namespace of every object.',
    path: ['kustomize', 'namespace'],
  }),
  entriesOption(
    {
      name: 'images',
      tooltip:
        'What takes the place of an image, by its name: newName:newTag@digest, with the tag, the digest or both.',
      path: ['kustomize', 'images'],
    },
    'image',
    imageForm,
  ),
  entriesOption(
    {
      name: 'replicas',
      tooltip: 'How many replicas a workload has, by its name.',
      path: ['kustomize', 'replicas'],
    },
    'number',
    replicaForm,
  ),
  recordOption({
    name: 'common-labels',
    tooltip: 'Labels of every object.',
    path: ['kustomize', 'commonLabels'],
  }),
  recordOption({
    name: 'common-annotations',
    tooltip: 'Annotations of every object.',
    path: ['kustomize', 'commonAnnotations'],
  }),
  listOption({
    name: 'components',
    tooltip: 'Components that are added to those of the kustomization.',
    path: ['kustomize', 'components'],
  }),
]
