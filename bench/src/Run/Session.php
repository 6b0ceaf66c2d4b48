<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Fleet;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Published\PublishedRun;
use Larder\Testbed\Server\Endpoint;
use Throwable;

/** A whole run: servers up, plan measured, servers down, one Document. */
final readonly class Session
{
    /**
     * @param list<Planned>                 $plan
     * @param list<PublishedRun>            $published
     * @param array<string, list<Endpoint>> $named     servers that the user named, by kind
     * @param string                        $parent    directory that the run's own, temporary one is made in
     * @param string|null $site directory of the site whose pages are measured; null: there is none
     */
    public function __construct(
        private array $plan,
        private array $published,
        private array $named,
        private Settings $settings,
        private Progress $progress,
        private Interrupt $interrupt,
        private string $parent,
        private ?string $site = null,
    ) {}

    public function run(string $command, string $profile): Document
    {
        $scratch = Scratch::in($this->parent);
        $started = date(DATE_RFC3339);
        $begin = microtime(true);
        $before = Environment::now();
        $sites = new Sites(
            new Fleet($scratch->path, $this->named, $this->progress->say(...), $this->site),
            $scratch->path,
        );
        try {
            $runner = new Runner($sites, $this->settings, $this->progress, $this->interrupt);
            $charts = $runner->run($this->plan);
            $published = $this->published($sites, $runner);
            $environment = $before->with(Environment::now(), $sites->fleet->facts());
            $complete = !$runner->isOver();
        } finally {
            $this->progress->end();
            $sites->stop();
            $scratch->remove();
        }

        return new Document(
            $command,
            $profile,
            $started,
            round(microtime(true) - $begin, 1),
            $complete,
            $environment,
            $this->limits($complete),
            $this->sheets(),
            $charts,
            $published,
        );
    }

    /** @return list<Published> */
    private function published(Sites $sites, Runner $runner): array
    {
        $outputs = [];
        foreach ($this->published as $run) {
            if ($runner->isOver()) {
                break;
            }
            $this->progress->say($run->name() . ' as published');
            $endpoints = static fn(string $kind, int $instances): array => $sites->fleet->endpoints(
                Kind::from($kind),
                $instances,
            );
            try {
                $outputs[] = $run->run($endpoints, $sites->directory, $this->progress->say(...));
            } catch (Throwable $thrown) {
                $outputs[] = new Published(
                    $run->name(),
                    'Failed',
                    $thrown->getMessage() . "\n",
                    'It ended with this error and has no figures.',
                );
            }
        }

        return $outputs;
    }

    /** @return list<\Larder\Bench\Result\Sheet> of all that take part */
    private function sheets(): array
    {
        $sheets = [];
        foreach ($this->plan as $planned) {
            foreach ($planned->subjects as $subject) {
                $sheets[$subject->id] = $subject;
            }
        }

        return array_values(
            array_map(static fn(Definition $subject): \Larder\Bench\Result\Sheet => $subject->sheet(), $sheets),
        );
    }

    /** @return list<string> */
    private function limits(bool $complete): array
    {
        return [
            ...($complete ? [] : ['The run ended before its plan did: cells and windows are missing.']),
            \sprintf(
                'Everything ran on one machine with %s. Where client and server share one, the figures are the work '
                    . 'of both added up: what they do at the same time is not in them.',
                Environment::cores() === 1 ? 'one processor' : Environment::cores() . ' processors',
            ),
            'All traffic went over loopback and unix sockets. A real network adds its round trip to each request, '
                . 'which favours few large requests over many small ones.',
            'Closed loops, unless a chart says open: a client waits for its answer before it asks again, so tails are '
                . 'shorter than under independent visitors.',
            ...(
                $this->named === []
                    ? []
                    : [
                        'Servers named with --server were used as they were; their other users are not known to the '
                            . 'bench.',
                    ]
            ),
        ];
    }
}
