import { Anchor, List } from '@mantine/core'
import { t } from '../../language/t.ts'
import { GivenText } from '../given-text.tsx'
import type { FieldFinding } from './field-findings.ts'

interface FieldHelpProps {
  findings: readonly FieldFinding[]
  editLine: (line: number) => void
}

/** Says what of a text does not fit the fields of its kind, and leads to the lines. */
export function FieldHelp({ findings, editLine }: FieldHelpProps) {
  return (
    <div role="status">
      {findings.length > 0 && (
        <List size="sm" mt={4} listStyleType="none">
          {findings.map(({ line, message }, index) => (
            <List.Item key={`${index} ${message}`} style={{ overflowWrap: 'anywhere' }}>
              <Anchor component="button" type="button" size="sm" ta="start" onClick={() => editLine(line)}>
                {t('Line {line, number}:', { line })} <GivenText text={message} lang="en" />
              </Anchor>
            </List.Item>
          ))}
        </List>
      )}
    </div>
  )
}
