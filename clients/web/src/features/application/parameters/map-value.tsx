import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { PlusIcon } from '@primer/octicons-react/PlusIcon'
import { TrashIcon } from '@primer/octicons-react/TrashIcon'
import type { ReactNode } from 'react'
import type { ValueInputProps } from './value-input.ts'
import { t } from '../../../language/t.ts'

/** A table of keys and values: rows of the default, which a row of one's own overrides, then the others. */
export function MapValue({ parameter, label, value, fallback, error, onChange }: ValueInputProps) {
  const standard = fallback?.case === 'map' ? fallback.value : []
  const own = value?.case === 'map' ? value.value : []
  const change = (next: typeof own) => onChange({ case: 'map', value: next })
  const override = (key: string, text: string) => {
    const index = own.findIndex((entry) => entry.key === key)
    change(index === -1 ? [...own, { key, value: text }] : own.with(index, { key, value: text }))
  }
  return (
    <Stack gap={6}>
      {standard.map(({ key, value: text }) => (
        <Row
          key={key}
          label={label}
          name={key}
          text={own.find((entry) => entry.key === key)?.value ?? text}
          onText={(next) => override(key, next)}
        >
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={own.every((entry) => entry.key !== key)}
            aria-label={t('Reset {key} of {name}', { key, name: label })}
            onClick={() => change(own.filter((entry) => entry.key !== key))}
          >
            {t('Reset')}
          </Button>
        </Row>
      ))}
      {own.map((entry, index) =>
        standard.some(({ key }) => key === entry.key) ? null : (
          <Row
            // oxlint-disable-next-line react/no-array-index-key -- a key that is being typed cannot name its row
            key={index}
            label={label}
            name={entry.key}
            text={entry.value}
            onName={(key) => change(own.with(index, { ...entry, key }))}
            onText={(text) => change(own.with(index, { ...entry, value: text }))}
          >
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t('Remove {key} of {name}', { key: entry.key, name: label })}
              onClick={() => change(own.toSpliced(index, 1))}
            >
              <TrashIcon />
            </ActionIcon>
          </Row>
        ),
      )}
      <ValueError error={error} />
      {!parameter.fixedItems && (
        <AddButton label={t('Add a row')} add={() => change([...own, { key: '', value: '' }])} />
      )}
    </Stack>
  )
}

interface RowProps {
  label: string
  name: string
  text: string
  /** Absent for a key that the default decides. */
  onName?: (name: string) => void
  onText: (text: string) => void
  children: ReactNode
}

function Row({ label, name, text, onName, onText, children }: RowProps) {
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        aria-label={t('{name}, key', { name: label })}
        value={name}
        readOnly={!onName}
        flex={1}
        onChange={({ currentTarget }) => onName?.(currentTarget.value)}
      />
      <TextInput
        aria-label={t('{name}, value of {key}', { name: label, key: name })}
        value={text}
        flex={1}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
      />
      {children}
    </Group>
  )
}

/** Shows the error of a list or a table. */
export function ValueError({ error }: { error: string | undefined }) {
  if (error === undefined) return null
  return (
    <Text size="sm" c="red" role="alert">
      {error}
    </Text>
  )
}

/** Adds a row to a list or a table. */
export function AddButton({ label, add }: { label: string; add: () => void }) {
  return (
    <Button size="xs" variant="default" leftSection={<PlusIcon />} w="max-content" onClick={add}>
      {label}
    </Button>
  )
}
