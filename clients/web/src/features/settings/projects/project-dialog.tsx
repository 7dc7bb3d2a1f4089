import { Button, SegmentedControl, Stack } from '@mantine/core'
import type { JsonObject } from '@bufbuild/protobuf'
import { useState } from 'react'
import { Dialog, DialogButtons } from '../../../components/dialog.tsx'
import { DraftOutdated } from '../../../components/draft-outdated.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { YamlField } from '../../../components/yaml-field.tsx'
import { objectText } from '../../../words/object-text.ts'
import { ProjectFields } from './project-fields.tsx'
import { nameOf } from './project-object.ts'
import { ProjectReview } from './project-review.tsx'
import { type ProjectChange, type ProjectChangeOptions, useProjectChange } from './use-project-change.ts'
import { t } from '../../../language/t.ts'

/** Edits a project as a form or as YAML; what a change would refuse is shown before it is stored, in the version that was seen. */
export function ProjectDialog(options: ProjectChangeOptions) {
  const { project, isNew, close } = options
  const change = useProjectChange(options)
  const { storedText, draft, review, save, keep, startOver } = change
  const failed = review.error ?? save.error
  return (
    <Dialog
      title={isNew ? t('New project') : t('Change project {name}', { name: nameOf(project) })}
      size="xl"
      isTyped={draft.text !== draft.base}
      close={close}
    >
      <Stack>
        <ProjectEditor change={change} began={project} isNew={isNew} />
        {draft.isOutdated && (
          <DraftOutdated
            what={t('project')}
            before={draft.base}
            after={storedText}
            keep={keep}
            startOver={startOver}
          />
        )}
        {review.data && (
          <ProjectReview before={isNew ? '' : storedText} after={draft.text} review={review.data} />
        )}
        {failed && <ErrorState title={t('Nothing is stored')} error={failed} />}
        <Buttons change={change} isNew={isNew} />
      </Stack>
    </Dialog>
  )
}

interface ProjectEditorProps {
  change: ProjectChange
  began: JsonObject
  isNew: boolean
}

function ProjectEditor({ change: { draft, value, error, type }, began, isNew }: ProjectEditorProps) {
  const [view, setView] = useState('form')
  return (
    <>
      <SegmentedControl
        aria-label={t('Edit as')}
        w="max-content"
        data={[
          { value: 'form', label: t('Form'), disabled: value === undefined },
          { value: 'yaml', label: 'YAML' },
        ]}
        value={value === undefined ? 'yaml' : view}
        onChange={setView}
      />
      {view === 'form' && value ? (
        <ProjectFields
          project={value}
          began={began}
          isNew={isNew}
          change={(typed) => type(objectText(typed))}
        />
      ) : (
        <YamlField
          kind="AppProject"
          key={draft.round}
          initial={draft.text}
          onChange={type}
          label={t('AppProject')}
          error={error}
        />
      )}
    </>
  )
}

function Buttons({ change, isNew }: Omit<ProjectEditorProps, 'began'>) {
  const { storedText, draft, value, error, review, save, store } = change
  return (
    <DialogButtons>
      <Button
        variant={review.data ? 'default' : 'filled'}
        loading={review.isPending}
        disabled={!value || error !== ''}
        onClick={() => value && review.mutate({ project: value })}
      >
        {t('Review')}
      </Button>
      {review.data && (
        <Button
          loading={save.isPending}
          disabled={draft.isOutdated || (!isNew && draft.text === storedText)}
          onClick={store}
        >
          {t('Store')}
        </Button>
      )}
    </DialogButtons>
  )
}
