import type { ProbePlan } from '../core/probe-plan.ts';
import type { DaemonMeans } from './target/daemon-means.ts';
import { WatchedTarget } from './target/watched-target.ts';

/** The targets that are watched now. */
export class PlanInForce {
  readonly #means: DaemonMeans;
  readonly #targets = new Map<string, WatchedTarget>();
  #plan: ProbePlan;

  private constructor(means: DaemonMeans, plan: ProbePlan) {
    this.#means = means;
    this.#plan = plan;
  }

  static async open(means: DaemonMeans, plan: ProbePlan): Promise<PlanInForce> {
    const inForce = new PlanInForce(means, plan);
    try {
      for (const target of plan.targets)
        inForce.#targets.set(target.name, await WatchedTarget.open(means, target));
    } catch (error) {
      await inForce.close();
      throw error;
    }
    return inForce;
  }

  get plan(): ProbePlan {
    return this.#plan;
  }

  targets(): readonly WatchedTarget[] {
    return [...this.#targets.values()];
  }

  named(name: string): WatchedTarget | null {
    return this.#targets.get(name) ?? null;
  }

  /**
   * Targets of the same name and address go on with what they have; others are closed, and new ones opened. Where one cannot
   * be opened the plan before stays: new ones are opened first.
   */
  async replace(plan: ProbePlan): Promise<void> {
    const isKept = ({ target }: WatchedTarget): boolean =>
      plan.targets.some(({ name, bases }) => name === target.name && bases.root === target.bases.root);
    const opened: WatchedTarget[] = [];
    const moved = this.targets().filter((watched) => !isKept(watched));
    const names = new Set(this.#targets.keys());
    try {
      for (const target of plan.targets)
        if (!names.has(target.name)) opened.push(await WatchedTarget.open(this.#means, target));
    } catch (error) {
      for (const watched of opened) await watched.close(true);
      throw error;
    }
    for (const watched of moved) {
      await watched.close(true);
      this.#targets.delete(watched.target.name);
    }
    for (const watched of opened) this.#targets.set(watched.target.name, watched);
    for (const target of plan.targets) {
      const known = this.#targets.get(target.name);
      // Of a name that has another address now: its state is free since the old one was closed.
      if (known === undefined) this.#targets.set(target.name, await WatchedTarget.open(this.#means, target));
      else if (!opened.includes(known)) await known.replace(target);
    }
    this.#plan = plan;
  }

  async close(): Promise<void> {
    for (const watched of this.#targets.values()) await watched.close(false);
    this.#targets.clear();
  }
}
