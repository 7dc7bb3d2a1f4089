import { Alert, Code, Stack, Text } from '@mantine/core'
import type { AccessRule, AccessVerdict } from '@wadi/protocol/gen/wadi/api_gateway/v1/policy_service_pb.ts'
import type { Right } from './right-fields.tsx'
import { reasonText, ruleOrigin, verdictText } from './verdict-text.ts'
import { t } from '../../language/t.ts'

interface VerdictProps {
  /** The account or role that it is about. */
  subject: string
  right: Right
  verdict: AccessVerdict
}

/** Shows the answer of the policy in words, with the rules that decided and their places. */
export function Verdict({ subject, right, verdict }: VerdictProps) {
  const { allowed, rules, ignored } = verdict
  return (
    <Alert color={allowed ? 'teal' : 'orange'} title={verdictText(subject, right, allowed)} role="status">
      <Stack gap="sm">
        <Text size="sm">{reasonText(verdict)}</Text>
        {rules.map((rule) => (
          <Rule key={`${rule.identity} ${rule.at}`} rule={rule} />
        ))}
        {ignored.length > 0 && (
          <Text size="sm">{t('These rules do not apply, since no g line names the group as a member:')}</Text>
        )}
        {ignored.map((rule) => (
          <Rule key={`${rule.identity} ${rule.at}`} rule={rule} />
        ))}
      </Stack>
    </Alert>
  )
}

function Rule({ rule }: { rule: AccessRule }) {
  return (
    <Stack gap={2}>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {rule.rule}
      </Code>
      <Text size="xs">
        {rule.at === ''
          ? ruleOrigin(rule)
          : t('{origin}, in {place}', { origin: ruleOrigin(rule), place: rule.at })}
      </Text>
    </Stack>
  )
}
