import { ActionIcon, Button, Group, Input, Stack, Textarea, TextInput } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { textAt } from '@wadi/fields/json-fields.ts'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import {
  type Destination,
  destinationObjects,
  destinationsOf,
  nameOf,
  renamedProject,
  repositoriesOf,
  withField,
} from './project-object.ts'
import { t } from '../../../language/t.ts'

interface ProjectFieldsProps {
  project: JsonObject
  /** The project before it was edited. */
  began: JsonObject
  /** True if the project is not stored yet, so that it can have another name. */
  isNew: boolean
  change: (project: JsonObject) => void
}

/** The fields of a project that most need; the others are in its YAML, and stay. */
export function ProjectFields({ project, began, isNew, change }: ProjectFieldsProps) {
  return (
    <>
      <TextInput
        label={t('Name')}
        required
        readOnly={!isNew}
        value={nameOf(project)}
        onChange={({ currentTarget }) => change(renamedProject(project, currentTarget.value, began))}
      />
      <TextInput
        label={t('Description')}
        value={textAt(project, 'spec', 'description')}
        onChange={({ currentTarget }) => change(withField(project, 'description', currentTarget.value))}
      />
      <Textarea
        label={t('Repositories')}
        description={t(
          'Those that its Applications may read and write, one pattern a line: * is any, !pattern refuses',
        )}
        autosize
        minRows={2}
        maxRows={10}
        value={repositoriesOf(project).join('\n')}
        onChange={({ currentTarget }) =>
          change(
            withField(
              project,
              'sourceRepos',
              currentTarget.value === '' ? [] : currentTarget.value.split('\n'),
            ),
          )
        }
      />
      <Destinations
        destinations={destinationsOf(project)}
        change={(destinations) =>
          change(withField(project, 'destinations', destinationObjects(destinations)))
        }
      />
    </>
  )
}

const fields = [
  ['server', t('Server')],
  ['name', t('Cluster name')],
  ['namespace', t('Namespace')],
] as const

interface DestinationsProps {
  destinations: readonly Destination[]
  change: (destinations: readonly Destination[]) => void
}

function Destinations({ destinations, change }: DestinationsProps) {
  return (
    <Input.Wrapper
      label={t('Destinations')}
      labelElement="div"
      description={t('Clusters, by address or name, and namespaces, each as a pattern')}
    >
      <Stack gap={6} mt={6}>
        {destinations.map((place, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the place is all that a row is known by
          <Group
            key={index}
            gap={6}
            wrap="nowrap"
            align="flex-end"
            role="group"
            aria-label={t('Destination {place, number}', { place: index + 1 })}
          >
            {fields.map(([field, label]) => (
              <TextInput
                key={field}
                flex={1}
                miw={0}
                {...(index === 0 && { label })}
                aria-label={t('{field} of destination {place, number}', { field: label, place: index + 1 })}
                value={place[field]}
                onChange={({ currentTarget }) =>
                  change(destinations.with(index, { ...place, [field]: currentTarget.value }))
                }
              />
            ))}
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('Remove destination {place, number}', { place: index + 1 })}
              onClick={() => change(destinations.toSpliced(index, 1))}
            >
              <TrashIcon />
            </ActionIcon>
          </Group>
        ))}
        <Button
          size="xs"
          variant="default"
          leftSection={<PlusIcon />}
          w="max-content"
          onClick={() => change([...destinations, { server: '', name: '', namespace: '' }])}
        >
          {t('Add a destination')}
        </Button>
      </Stack>
    </Input.Wrapper>
  )
}
