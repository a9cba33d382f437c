import type { TelemetryConfig } from '../config-telemetry.ts';
import type { Logger } from '../log.ts';
import type { Undo } from '../undo.ts';
import type { Telemetry } from './start.ts';

/**
 * Starts the export if an endpoint is configured, until `undo`; otherwise none of its modules is
 * loaded.
 */
export async function loadTelemetry(
  config: TelemetryConfig | null,
  log: Logger,
  undo: Undo[],
): Promise<Telemetry | null> {
  if (!config) return null;
  const { startTelemetry } = await import('./start.ts');
  const telemetry = startTelemetry(config, log);
  undo.push(() => telemetry.stop());
  return telemetry;
}
