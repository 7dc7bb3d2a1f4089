import { Button, Group } from '@mantine/core'
import type { Environments, Stage } from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { useState } from 'react'
import { isStageChange, type StageChange, stageChanges } from './stage-change.ts'
import { StageChangeDialog } from './stage-change-dialog.tsx'

interface StageChangesProps {
  stage: Stage
  environments: Environments
}

/** The changes of the pull request of a stage, for those who may. */
export function StageChanges({ stage, environments }: StageChangesProps) {
  const [asked, setAsked] = useState<{ change: StageChange; seen: Stage }>()
  const changes = stage.changes.filter(isStageChange)
  return (
    <>
      {changes.length > 0 && (
        <Group gap="xs" mt={4}>
          {changes.map((change) => (
            <Button
              key={change}
              size="compact-sm"
              variant={change === 'close' ? 'default' : 'light'}
              aria-label={`${stageChanges[change].title(stage)}…`}
              onClick={() => setAsked({ change, seen: stage })}
            >
              {stageChanges[change].button}
            </Button>
          ))}
        </Group>
      )}
      {asked && (
        <StageChangeDialog
          {...asked}
          now={stage}
          environments={environments}
          lookAgain={() => setAsked({ ...asked, seen: stage })}
          close={() => setAsked(undefined)}
        />
      )}
    </>
  )
}
