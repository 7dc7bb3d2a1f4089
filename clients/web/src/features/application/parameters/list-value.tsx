import { ActionIcon, Group, Stack, TextInput } from '@mantine/core'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import { AddButton, ValueError } from './map-value.tsx'
import type { ValueInputProps } from './value-input.ts'
import { t } from '../../../language/t.ts'

/** A list of values; the first change begins with the default. */
export function ListValue({ parameter, label, value, fallback, error, onChange }: ValueInputProps) {
  const standard = fallback?.case === 'list' ? fallback.value : []
  const items = value?.case === 'list' ? value.value : standard
  const change = (next: readonly string[]) => onChange({ case: 'list', value: next })
  return (
    <Stack gap={6}>
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the place is all that an item is known by
        <Group key={index} gap={6} wrap="nowrap">
          <TextInput
            aria-label={t('{name}, item {place, number}', { name: label, place: index + 1 })}
            value={item}
            flex={1}
            onChange={({ currentTarget }) => change(items.with(index, currentTarget.value))}
          />
          {!parameter.fixedItems && (
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('Remove item {place, number} of {name}', { name: label, place: index + 1 })}
              onClick={() => change(items.toSpliced(index, 1))}
            >
              <TrashIcon />
            </ActionIcon>
          )}
        </Group>
      ))}
      <ValueError error={error} />
      {!parameter.fixedItems && <AddButton label={t('Add an item')} add={() => change([...items, ''])} />}
    </Stack>
  )
}
