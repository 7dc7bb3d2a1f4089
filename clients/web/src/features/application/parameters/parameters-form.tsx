import { Fieldset, Group, Stack, Switch, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import type { GetParametersResponse, Parameter } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { useState } from 'react'
import { Warnings } from '../../../components/warnings.tsx'
import type { SourceName } from '../application-name.ts'
import { Changes } from './changes.tsx'
import { errorOfValue, noEdits, type ParameterEdits, setValue, withEdit } from './parameter-edits.ts'
import { ParameterField } from './parameter-field.tsx'
import classes from './parameters-form.module.css'
import { useShownGroups } from './use-shown-groups.ts'
import { ValueSections } from './value-sections.tsx'
import { t } from '../../../language/t.ts'

/** Wait after the last key, in milliseconds. */
const typingPause = 500

interface ParametersFormProps {
  name: SourceName
  answer: GetParametersResponse
  mayEdit: boolean
}

/** The parameters of a source by the groups of its tool, what a change of them does, and the way to save it. */
export function ParametersForm({ name, answer, mayEdit }: ParametersFormProps) {
  const { parameters, warnings } = answer
  const [edits, setEdits] = useState<ParameterEdits>(noEdits)
  const [wanted, setWanted] = useState('')
  const [onlySet, setOnlySet] = useState(false)
  const errorOf = (parameter: Parameter) => errorOfValue(parameter, setValue(parameter, edits))
  const isValid = parameters.every(
    (parameter) => !edits.has(parameter.name) || errorOf(parameter) === undefined,
  )
  const [paused] = useDebouncedValue(edits, typingPause)
  const { groups, open, counts, isNarrowed } = useShownGroups(answer, edits, { wanted, onlySet })
  const field = (parameter: Parameter) => (
    <ParameterField
      key={parameter.name}
      parameter={parameter}
      value={setValue(parameter, edits)}
      error={errorOf(parameter)}
      isChanged={edits.has(parameter.name)}
      onChange={(edit) => setEdits((before) => withEdit(before, parameter, edit))}
    />
  )
  return (
    <div className={classes.form} data-changed={edits.size > 0 || undefined}>
      <Stack>
        <Group>
          <TextInput
            aria-label={t('Find a parameter')}
            placeholder={t('Find a parameter')}
            leftSection={<SearchIcon />}
            value={wanted}
            onChange={({ currentTarget }) => setWanted(currentTarget.value)}
          />
          <Switch
            label={t('Only what is set')}
            checked={onlySet}
            onChange={({ currentTarget }) => setOnlySet(currentTarget.checked)}
          />
        </Group>
        <Warnings title={t('Warnings')} texts={warnings} />
        {groups.map((root) => (
          <Fieldset key={root.group} legend={headingOf(root.group)} disabled={!mayEdit}>
            <ValueSections key={String(isNarrowed)} section={root} edits={counts} open={open} field={field} />
          </Fieldset>
        ))}
      </Stack>
      {edits.size > 0 && (
        <Changes
          name={name}
          edits={edits}
          paused={paused}
          isValid={isValid}
          clear={() => setEdits(noEdits)}
        />
      )}
    </div>
  )
}

function headingOf(group: string): string {
  return group === '' ? t('Source') : group.charAt(0).toUpperCase() + group.slice(1)
}
