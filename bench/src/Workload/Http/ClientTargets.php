<?php

declare(strict_types=1);

namespace Larder\Bench\Workload\Http;

use Larder\Bench\Exception\Failed;
use Larder\Bench\Exception\NotApplicable;
use Larder\Bench\Exception\WrongReply;
use Larder\Bench\Subject\Definition;
use Larder\Bench\Workload\InProcess;
use Larder\Bench\Workload\Job;
use Larder\Bench\Workload\Operations;
use Larder\Testbed\Http\Connection;
use Larder\Testbed\Load\Target;
use Larder\Testbed\Server\Endpoint;

/**
 * A script in php-fpm that connects a client, does one step of some operations, and answers "ok" if all replies to the
 * client were right. php-fpm is the last of the endpoints of the job; the others are the servers of the subject.
 */
final readonly class ClientTargets implements Targets
{
    /** Path below the directory that php-fpm serves. */
    private const SCRIPT = '/client/step.php';

    private InProcess $inProcess;

    /** @param bool $ini true: php-fpm was started with the php.ini values of the subject */
    public function __construct(private Operations $operations, private bool $ini = false)
    {
        $this->inProcess = new InProcess($operations);
    }

    public function refuses(Definition $subject): ?string
    {
        return isset($subject->ini['extension']) && !$this->ini
            ? 'its extension is not in the php.ini of php-fpm'
            : $this->inProcess->refuses($subject);
    }

    /** The script fills, too: php-fpm could not change files of another account. */
    public function prepare(Job $job, Definition $subject): void
    {
        $this->order($job, true);
    }

    public function target(Job $job, Definition $subject): Target
    {
        return $this->order($job, false);
    }

    /** Writes what the script has to do, and requests it once. */
    private function order(Job $job, bool $fills): Target
    {
        [$own, $fpm] = self::split($job);
        $order = (new ClientStep($own, $this->operations, $fills))->write();
        $url = ($fpm->extra['url'] ?? throw new Failed('php-fpm has no address')) . self::SCRIPT . '?'
            . http_build_query(['order' => $order]);
        $servers = [];
        foreach ($own->endpoints as $endpoint) {
            $servers = [...$servers, ...$endpoint->pids];
        }
        $target = new Target($url, ClientStep::DONE, [], $servers, $fpm->pids);
        $reply = Connection::fetch($url);
        if ($reply->status === ClientStep::ABSENT) {
            throw new NotApplicable($reply->body);
        }
        if ($reply->status !== 200) {
            throw new Failed(\sprintf('status %d, %s', $reply->status, Target::excerpt($reply->body)));
        }
        $fault = $target->fault($reply);

        return $fault === null ? $target : throw new WrongReply($fault);
    }

    /** @return array{Job, Endpoint} the job with the servers of the subject, and php-fpm */
    private static function split(Job $job): array
    {
        $endpoints = $job->endpoints;
        $fpm = array_pop($endpoints) ?? throw new NotApplicable('php-fpm was not started');
        // php-fpm may run under another account, and this is the one directory in which it may write.
        $directory = $job->directory . '/client';
        if (!is_dir($directory) && @mkdir($directory)) {
            chmod($directory, 0o1777);
        }

        return [
            new Job(
                $job->test,
                $job->subject,
                $job->parameters,
                $job->seconds,
                $job->block,
                $job->seed,
                $endpoints,
                $directory,
                $job->prefix,
                checked: $job->checked,
            ),
            $fpm,
        ];
    }
}
