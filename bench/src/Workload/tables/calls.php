<?php

declare(strict_types=1);

use Larder\Bench\Subject\Calls;
use Larder\Bench\Workload\ManyKeys\CallLoop;

// The measurements behind what is said of the memcached client; see docs/reference/bench.md.

$single = 'raw raw-meta raw-unix larder larder#2 larder-unshared larder-unix larder-udp memcached memcached-tuned '
    . 'memcache phpredis';
$many = 'raw raw-meta larder larder-unshared larder-unix larder-udp memcached memcached-tuned memcache '
    . 'phpredis-pipelined';
$six = 'raw@6 raw-meta@6 larder@6 memcached@6 memcache@6';
$one = 'a call for one key';
$fifty = 'a key of the 50 that one call is for';
$each = 'a key of the 50 for each server that one call is for';
$near = ['batch' => 50, 'values' => 'even', 'workers' => 1];
$apart = [...$near, 'rtt' => 0.2];
$far = [...$near, 'rtt' => 1];
$more = ['values' => 'even', 'workers' => 1, 'rtt' => 1, 'per_server' => 50];

return [
    'calls_get' => ['Client: get', $one, 'keys', new CallLoop(Calls::Get), $single, [$near]],
    'calls_set' => ['Client: set', $one, 'keys', new CallLoop(Calls::Set), $single, [$near]],
    'calls_get_many' => ['Client: get many', $fifty, 'keys', new CallLoop(Calls::GetMany), $many, [$near]],
    'calls_get_many_apart' => [
        'Client: get many, or one by one', $fifty, 'keys', new CallLoop(Calls::GetMany), 'larder larder-singly',
        [$apart],
    ],
    'calls_get_many_far' => [
        'Client: get many, six far servers', $fifty, 'keys', new CallLoop(Calls::GetMany), $six, [$far],
    ],
    'calls_get_many_more' => [
        'Client: get many, more and more servers', $each, 'keys', new CallLoop(Calls::GetMany),
        'larder larder@2 larder@3 larder@6', [$more],
    ],
    'calls_set_many' => ['Client: set many', $fifty, 'keys', new CallLoop(Calls::SetMany), $many, [$near]],
    'calls_set_many_apart' => [
        'Client: set many, or one by one', $fifty, 'keys', new CallLoop(Calls::SetMany), 'larder larder-singly',
        [$apart],
    ],
    'calls_set_many_far' => [
        'Client: set many, six far servers', $fifty, 'keys', new CallLoop(Calls::SetMany), $six, [$far],
    ],
    'calls_set_many_more' => [
        'Client: set many, more and more servers', $each, 'keys', new CallLoop(Calls::SetMany),
        'larder larder@2 larder@3 larder@6', [$more],
    ],
    'calls_delete_many' => ['Client: delete many', $fifty, 'keys', new CallLoop(Calls::DeleteMany), $many, [$near]],
    'calls_delete_many_apart' => [
        'Client: delete many, or one by one', $fifty, 'keys', new CallLoop(Calls::DeleteMany), 'larder larder-singly',
        [$apart],
    ],
    'calls_delete_many_far' => [
        'Client: delete many, six far servers', $fifty, 'keys', new CallLoop(Calls::DeleteMany), $six, [$far],
    ],
    'calls_delete_many_more' => [
        'Client: delete many, more and more servers', $each, 'keys', new CallLoop(Calls::DeleteMany),
        'larder larder@2 larder@3 larder@6', [$more],
    ],
    'calls_increment_many' => [
        'Client: increment many', $fifty, 'keys', new CallLoop(Calls::IncrementMany), $many, [$near],
    ],
    'calls_increment_many_apart' => [
        'Client: increment many, or one by one', $fifty, 'keys', new CallLoop(Calls::IncrementMany),
        'larder larder-singly', [$apart],
    ],
    'calls_increment_many_far' => [
        'Client: increment many, six far servers', $fifty, 'keys', new CallLoop(Calls::IncrementMany), $six, [$far],
    ],
    'calls_increment_many_more' => [
        'Client: increment many, more and more servers', $each, 'keys', new CallLoop(Calls::IncrementMany),
        'larder larder@2 larder@3 larder@6', [$more],
    ],
];
