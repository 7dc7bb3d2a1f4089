import type {
  Stage,
  TravellingCommit,
} from '@wadi/protocol/gen/wadi/api_gateway/v1/environment_service_pb.ts'
import { memo } from 'react'
import classes from './environments.module.css'
import { stageLook } from './stage-look.ts'
import { stageKey } from './stage-words.ts'
import { type Rows, waterLevels } from './water-levels.ts'

interface WaterColumnsProps {
  stages: readonly Stage[]
  commits: readonly TravellingCommit[]
}

/** Each stage as a column that is filled up to its dry commit, with what comes next above it. Pointers pass through. */
export const WaterColumns = memo(function WaterColumns({ stages, commits }: WaterColumnsProps) {
  const levels = waterLevels(stages, commits)
  return (
    <div className={classes.columns} aria-hidden>
      {stages.map((stage, index) => (
        <div key={stageKey(stage)} className={classes.column}>
          {levels[index]?.coming && (
            <div
              className={classes.coming}
              style={{
                ...placeOf(levels[index].coming),
                color: `var(--mantine-color-${stageLook(stage.state).color}-filled)`,
              }}
            />
          )}
          {levels[index]?.held.map((rows) => (
            <div key={rows.from} className={classes.water} style={placeOf(rows)} />
          ))}
          {levels[index] && levels[index].head >= 0 && (
            <div
              className={classes.head}
              style={placeOf({ from: levels[index].head, to: levels[index].head + 1 })}
            >
              <span className={classes.dot} />
            </div>
          )}
        </div>
      ))}
    </div>
  )
})

function placeOf({ from, to }: Rows) {
  return { top: `calc(${from} * var(--row))`, height: `calc(${to - from} * var(--row))` }
}
