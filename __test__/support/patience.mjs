/**
 * How long a call may take before it counts as one that hangs, in milliseconds. A sanitizer makes calls
 * slower and says by how much in TEST_SLOWNESS.
 */
export const PATIENCE = 2000 * Number(process.env.TEST_SLOWNESS ?? 1);
