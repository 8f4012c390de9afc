/**
 * How often a property is tried: as given, or `GOV_PROPERTY_RUNS` times as often. Failures print their seed; fast-check
 * takes a new one each time.
 */
export function runs(usual: number): number {
  return Math.ceil(usual * (Number(process.env['GOV_PROPERTY_RUNS']) || 1));
}
