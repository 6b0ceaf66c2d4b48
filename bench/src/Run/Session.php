<?php

declare(strict_types=1);

namespace Larder\Bench\Run;

use Larder\Bench\Result\Document;
use Larder\Bench\Result\Published;
use Larder\Bench\Server\Kind;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\Published\PublishedRun;
use Throwable;

/** A whole run: servers up, plan measured, servers down, one Document. */
final readonly class Session
{
    /**
     * @param list<Planned>      $plan
     * @param list<PublishedRun> $published
     */
    public function __construct(
        private array $plan,
        private array $published,
        private Sites $sites,
        private Runner $runner,
        private Progress $progress,
    ) {}

    public function run(string $command, string $profile): Document
    {
        $started = date(DATE_RFC3339);
        $begin = microtime(true);
        $before = Environment::now();
        try {
            $charts = $this->runner->run($this->plan);
            $published = $this->published();
            $environment = $before->with(Environment::now(), $this->sites->fleet->facts());
            $complete = !$this->runner->isOver();
        } finally {
            $this->progress->end();
            $this->sites->stop();
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
    private function published(): array
    {
        $outputs = [];
        foreach ($this->published as $run) {
            if ($this->runner->isOver()) {
                break;
            }
            $this->progress->say($run->name() . ' as published');
            $endpoints = fn(string $kind, int $instances): array => $this->sites->fleet->endpoints(
                Kind::from($kind),
                $instances,
            );
            try {
                $outputs[] = $run->run($endpoints, $this->sites->directory, $this->progress->say(...));
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
                $this->sites->named === []
                    ? []
                    : [
                        'Servers named with --server were used as they were; their other users are not known to the '
                            . 'bench.',
                    ]
            ),
        ];
    }
}
