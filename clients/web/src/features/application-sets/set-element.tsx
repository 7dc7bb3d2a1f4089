import { Code, Spoiler, Stack } from '@mantine/core'
import type { GeneratorElement } from '@wadi/protocol/gen/wadi/application_sets/v1/application_sets_pb.ts'
import { parameterLines } from './parameter-lines.ts'
import { t } from '../../language/t.ts'

/** The element of a generator that an Application comes from, and its parameters. */
export function SetElement({ element }: { element: GeneratorElement }) {
  return (
    <Stack gap={6}>
      {element.origin}
      <Parameters element={element} />
    </Stack>
  )
}

function Parameters({ element: { parameters, truncated } }: { element: GeneratorElement }) {
  if (truncated) return t('They are too long to be shown.')
  return (
    <Spoiler maxHeight={96} showLabel={t('Show all')} hideLabel={t('Show fewer')}>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {parameterLines(parameters ?? {}).join('\n')}
      </Code>
    </Spoiler>
  )
}
