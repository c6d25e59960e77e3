import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import type { DaemonMeans } from './daemon-means.ts';
import { WatchedTarget } from './watched-target.ts';

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
   * be opened the plan before stays.
   */
  async replace(plan: ProbePlan): Promise<void> {
    const opened = new Map<string, WatchedTarget>();
    const left: ProbeTarget[] = [];
    try {
      const isNew = ({ name }: ProbeTarget): boolean => !this.#targets.has(name);
      // What can fail without anything being closed comes first.
      for (const target of plan.targets.filter(isNew))
        opened.set(target.name, await WatchedTarget.open(this.#means, target));
      for (const target of plan.targets) {
        const before = this.#targets.get(target.name);
        if (before === undefined || before.target.bases.root === target.bases.root) continue;
        // Series and the folder of a state may go by the name: the old one has to let go of them.
        await this.#closed(before);
        left.push(before.target);
        opened.set(target.name, await WatchedTarget.open(this.#means, target));
      }
    } catch (error) {
      for (const watched of opened.values()) await watched.close(true);
      for (const target of left)
        this.#targets.set(target.name, await WatchedTarget.open(this.#means, target));
      throw error;
    }
    const named = new Map(plan.targets.map((target) => [target.name, target]));
    for (const watched of this.targets()) {
      const target = named.get(watched.target.name);
      if (target === undefined) await this.#closed(watched);
      else await watched.replace(target);
    }
    for (const [name, watched] of opened) this.#targets.set(name, watched);
    this.#plan = plan;
  }

  async #closed(watched: WatchedTarget): Promise<void> {
    await watched.close(true);
    this.#targets.delete(watched.target.name);
  }

  async close(): Promise<void> {
    for (const watched of this.#targets.values()) await watched.close(false);
    this.#targets.clear();
  }
}
