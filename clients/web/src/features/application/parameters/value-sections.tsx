import { Badge, Button, Stack, Text, UnstyledButton } from '@mantine/core'
import { ChevronRightIcon } from '@primer/octicons-react/ChevronRightIcon'
import type { Parameter } from '@wadi/protocol/gen/wadi/parameters/v1/parameters_pb.ts'
import { type ReactNode, useState } from 'react'
import { GivenText } from '../../../components/given-text.tsx'
import classes from './value-sections.module.css'
import { type editsBySection, isSection, membersShown, type ValueSection } from './value-tree.ts'
import { t } from '../../../language/t.ts'

interface ValueSectionsProps {
  section: ValueSection
  edits: ReturnType<typeof editsBySection>
  /** The sections that begin open. */
  open: ReadonlySet<ValueSection>
  field: (parameter: Parameter) => ReactNode
}

/** The members of a section: fields, and sections that open and close. */
export function ValueSections({ section, field, ...rest }: ValueSectionsProps) {
  const [shown, setShown] = useState(membersShown)
  const left = section.members.length - shown
  return (
    <Stack gap="lg">
      {section.members
        .slice(0, shown)
        .map((member) =>
          isSection(member) ? (
            <Section key={`section ${member.name}`} section={member} field={field} {...rest} />
          ) : (
            field(member)
          ),
        )}
      {left > 0 && (
        <Button variant="default" size="xs" w="max-content" onClick={() => setShown(shown + membersShown)}>
          {t('Show {count, number} more of {all, number}', {
            count: Math.min(left, membersShown),
            all: left,
          })}
        </Button>
      )}
    </Stack>
  )
}

function Section({ section, edits, open, field }: ValueSectionsProps) {
  const { name, tooltip, count } = section
  const [chosen, choose] = useState<boolean>()
  const opened = chosen ?? open.has(section)
  const { changed = 0, set: more = 0 } = edits.get(name) ?? {}
  const set = section.set + more
  const countText = t('{count, plural, one {# value} other {# values}}', { count })
  return (
    <div role="group" aria-label={`${name.slice(0, 200)}, ${countText}`}>
      <UnstyledButton className={classes.heading} aria-expanded={opened} onClick={() => choose(!opened)}>
        <ChevronRightIcon className={classes.chevron ?? ''} />
        <Text fw={600} size="sm" span style={{ overflowWrap: 'anywhere' }} maw="100%">
          <GivenText text={name} lines={2} />
        </Text>
        <Text size="sm" c="dimmed" span>
          {countText}
          {set > 0 && `, ${t('{count, number} set', { count: set })}`}
        </Text>
        {changed > 0 && (
          <Badge size="sm" variant="light" color="blue" tt="none">
            {t('{count, number} changed', { count: changed })}
          </Badge>
        )}
      </UnstyledButton>
      {opened && (
        <div className={classes.below}>
          {tooltip !== '' && (
            <Text size="sm" c="dimmed" mb="md" style={{ overflowWrap: 'anywhere' }}>
              <GivenText text={tooltip} />
            </Text>
          )}
          <ValueSections section={section} edits={edits} open={open} field={field} />
        </div>
      )}
    </div>
  )
}
