import { Autocomplete, Select, Switch, Textarea, TextInput } from '@mantine/core'
import type { ValueInputProps } from './value-input.ts'
import { t } from '../../../language/t.ts'

/** A single value: a switch, choices, several lines or one. Numbers stay the text that was typed, so that no digit is lost. */
export function TextValue({ parameter, label, value, fallback, error, onChange }: ValueInputProps) {
  const { type, options } = parameter
  const standard = fallback?.case === 'text' ? fallback.value : ''
  const text = value?.case === 'text' ? value.value : standard
  const change = (next: string) => onChange({ case: 'text', value: next })
  const shared = { 'aria-label': label, error, value: text }
  if (type === 'boolean')
    return (
      <Switch
        aria-label={label}
        label={text === 'true' ? t('On') : t('Off')}
        checked={text === 'true'}
        error={error}
        onChange={({ currentTarget }) => change(String(currentTarget.checked))}
      />
    )
  if (type === 'enum')
    return (
      <Select
        {...shared}
        value={text === '' ? null : text}
        data={options}
        allowDeselect={false}
        onChange={(next) => change(next ?? '')}
      />
    )
  if (type === 'multiline-string' || type === 'yaml' || text.includes('\n'))
    return (
      <Textarea
        {...shared}
        autosize
        minRows={type === 'yaml' && !text.includes('\n') ? 1 : 2}
        maxRows={14}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    )
  if (options.length > 0) return <Autocomplete {...shared} data={options} onChange={change} />
  return (
    <TextInput
      {...shared}
      {...(type === 'number' && { inputMode: 'decimal' as const })}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}
