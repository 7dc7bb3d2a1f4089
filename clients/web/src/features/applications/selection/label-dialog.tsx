import { MultiSelect, TagsInput, Text } from '@mantine/core'
import { createClient } from '@connectrpc/connect'
import { useTransport } from '@connectrpc/connect-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import { CallsDialog } from './calls-dialog.tsx'
import { labelChangeText, readLabels } from './label-changes.ts'
import type { Selection } from './use-selection.ts'
import { t } from '../../../language/t.ts'
import { byName } from '../../../words/by-name.ts'

interface LabelDialogProps {
  selection: Selection
  close: () => void
}

/** Sets and removes labels of the chosen Applications, each in the version that the dialog shows. */
export function LabelDialog({ selection, close }: LabelDialogProps) {
  const { labelApplication } = createClient(ApplicationService, useTransport())
  const [texts, setTexts] = useState<string[]>([])
  const [removed, setRemoved] = useState<string[]>([])
  const { labels, error } = readLabels(texts)
  const isTyped = texts.length + removed.length > 0
  const rows = [...selection.rows.values()]
  const keys = new Set(rows.flatMap((row) => Object.keys(row.labels)))
  const isOwned = rows.some(({ applicationSet }) => applicationSet !== '')
  return (
    <CallsDialog
      selection={selection}
      titleOf={(count) =>
        t('{count, plural, one {Label # Application} other {Label # Applications}}', { count })
      }
      button={t('Change labels')}
      doneText={(count) =>
        t('{count, plural, one {# Application labelled} other {# Applications labelled}}', { count })
      }
      isReady={error === '' && isTyped}
      isTyped={isTyped}
      call={({ namespace, name, version }) => labelApplication({ namespace, name, version, labels, removed })}
      textOf={(row) => labelChangeText(row.labels, { labels, removed })}
      close={close}
    >
      <TagsInput
        label={t('Labels to set')}
        description={t('In the form key=value; Enter adds one')}
        placeholder={texts.length > 0 ? '' : 'team=shop'}
        value={texts}
        onChange={setTexts}
        error={error}
        acceptValueOnBlur
      />
      {keys.size > 0 && (
        <MultiSelect
          label={t('Labels to remove')}
          data={[...keys].toSorted(byName)}
          value={removed}
          onChange={setRemoved}
          searchable
        />
      )}
      {isOwned && (
        <Text size="sm">
          {t('An ApplicationSet sets the labels of those that it generates to its own again.')}
        </Text>
      )}
    </CallsDialog>
  )
}
