import { Badge, Button, Code, Group, Spoiler, Stack, Text } from '@mantine/core'
import { LockIcon } from '@primer/octicons-react/LockIcon'
import type { Parameter, ParameterOrigin } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { GivenText } from '../../../components/given-text.tsx'
import { ListValue } from './list-value.tsx'
import { MapValue } from './map-value.tsx'
import { type EditedValue, editedValue } from './parameter-edits.ts'
import classes from './parameter-field.module.css'
import { TextValue } from './text-value.tsx'
import { limitsText } from './value-limits.ts'
import { t } from '../../../language/t.ts'

const maxDefaultLength = 60
const longTooltip = 400

interface ParameterFieldProps {
  parameter: Parameter
  /** The value with edits; undefined if the default applies. */
  value: EditedValue | undefined
  error: string | undefined
  /** True if the form changed it and has not saved it yet. */
  isChanged: boolean
  onChange: (edit: EditedValue | 'unset') => void
}

/** One parameter: its name and meaning, the input that its type asks for, where the value comes from, and the way back. */
export function ParameterField({ parameter, value, error, isChanged, onChange }: ParameterFieldProps) {
  const { name, title, problems, collection, fixedBecause } = parameter
  const label = title || name
  const fallback = editedValue(parameter.default)
  // The server speaks of the stored value.
  const shownProblems = error === undefined && !isChanged ? problems : []
  const Input = collection === 'map' ? MapValue : collection === 'array' ? ListValue : TextValue
  return (
    <div className={classes.field} role="group" aria-label={label}>
      <Heading parameter={parameter} label={label} isChanged={isChanged} />
      <Stack gap={4}>
        {fixedBecause === '' ? (
          <Input
            parameter={parameter}
            label={label}
            value={value}
            fallback={fallback}
            error={error}
            onChange={onChange}
          />
        ) : (
          <FixedValue value={value ?? fallback} reason={fixedBecause} />
        )}
        {shownProblems.map((problem) => (
          <Text key={problem} size="sm" c="red">
            {problem}
          </Text>
        ))}
        <Limits text={limitsText(parameter)} />
        <Group gap="xs" justify="space-between" wrap="nowrap">
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {originText(parameter, value)}
          </Text>
          {value !== undefined && fixedBecause === '' && (
            <Button
              size="compact-xs"
              variant="subtle"
              onClick={() => onChange('unset')}
              aria-label={t('Reset {name}', { name: label })}
            >
              {t('Reset')}
            </Button>
          )}
        </Group>
      </Stack>
    </div>
  )
}

interface HeadingProps extends Pick<ParameterFieldProps, 'parameter' | 'isChanged'> {
  label: string
}

function Heading({ parameter: { tooltip, required, fixedBecause }, label, isChanged }: HeadingProps) {
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Text fw={600} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <GivenText text={label} lines={2} />
          {required && ` ${t('(required)')}`}
        </Text>
        {fixedBecause !== '' && (
          <Badge size="sm" variant="light" color="gray" tt="none" leftSection={<LockIcon size={12} />}>
            {t('fixed')}
          </Badge>
        )}
        {isChanged && (
          <Badge size="sm" variant="light" color="blue" tt="none">
            {t('changed')}
          </Badge>
        )}
      </Group>
      <Tooltip text={tooltip} />
    </Stack>
  )
}

/** Shows the explanation of a parameter, a long one in part. */
function Tooltip({ text }: { text: string }) {
  if (text === '') return null
  const given = (
    <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <GivenText text={text} lang="en" />
    </Text>
  )
  if (text.length <= longTooltip) return given
  return (
    <Spoiler maxHeight={80} showLabel={t('Show more')} hideLabel={t('Show less')}>
      {given}
    </Spoiler>
  )
}

function Limits({ text }: { text: string }) {
  if (text === '') return null
  return (
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      <GivenText text={text} />
    </Text>
  )
}

/** The value of a parameter that nobody can set here, and why. */
function FixedValue({ value, reason }: { value: EditedValue | undefined; reason: string }) {
  return (
    <>
      {value?.case === 'text' && value.value !== '' && (
        <Code block={value.value.includes('\n')} style={{ overflowWrap: 'anywhere' }} w="fit-content">
          {value.value}
        </Code>
      )}
      {value?.case === 'list' && <Code w="fit-content">{value.value.join(', ')}</Code>}
      <Text size="sm">{t('It cannot be set here: {reason}.', { reason })}</Text>
    </>
  )
}

function originText(
  { origin, defaultOrigin, default: fallback, announced, fixedBecause }: Parameter,
  value: EditedValue | undefined,
): string {
  if (fixedBecause !== '' && defaultOrigin) return t('From {place}', { place: placeOf(defaultOrigin) })
  if (value !== undefined) {
    const set = origin ? t('Set in {place}', { place: placeOf(origin) }) : t('Set here')
    const known = announced ? set : t('{origin}, but its tool does not know it', { origin: set })
    return withDefault(known, fallback, defaultOrigin)
  }
  if (fallback === undefined) return t('Not set, without a default')
  return defaultOrigin ? t('Default of {place}', { place: placeOf(defaultOrigin) }) : t('Default')
}

/** Adds the default that a value overrides; of lists and tables the inputs show it. */
function withDefault(
  set: string,
  fallback: Parameter['default'],
  origin: ParameterOrigin | undefined,
): string {
  if (fallback?.kind.case !== 'text' || fallback.kind.value.includes('\n')) return set
  const value = fallback.kind.value === '' ? t('nothing') : fallback.kind.value.slice(0, maxDefaultLength)
  return origin
    ? t('{origin}; the default is {value} ({place})', { origin: set, value, place: placeOf(origin) })
    : t('{origin}; the default is {value}', { origin: set, value })
}

function placeOf({ kind, file, line }: ParameterOrigin): string {
  if (file === '') return kind === 'application' ? t('the Application') : t('the {kind}', { kind })
  return line > 0 ? `${file}:${line}` : file
}
