<?php

declare(strict_types=1);

use Larder\Bench\Subject\Calls;
use Larder\Bench\Workload\ManyKeys\CallLoop;

// Larder's modules memcached and memcache against those of these names: the same code on another module.

$one = 'a call for one key';
$fifty = 'a key of the 50 that one call is for';
$near = ['batch' => 50, 'values' => 'even', 'rtt' => 0, 'workers' => 1];
$far = [...$near, 'rtt' => 1];
$pairs = 'memcached larder-memcached memcache larder-memcache';
$three = 'memcached@3 larder-memcached@3 memcache@3 larder-memcache@3';
$six = 'memcached@6 larder-memcached@6 memcache@6 larder-memcache@6';
$symfony = 'memcached-symfony larder-memcached-symfony';

return [
    'modules_get' => ['Modules: get', $one, 'keys', new CallLoop(Calls::Get), $pairs, [$near]],
    'modules_set' => ['Modules: set', $one, 'keys', new CallLoop(Calls::Set), $pairs, [$near]],
    'modules_get_many' => ['Modules: get many', $fifty, 'keys', new CallLoop(Calls::GetMany), $pairs, [$near]],
    'modules_get_many_3' => [
        'Modules: get many, three servers', $fifty, 'keys', new CallLoop(Calls::GetMany), $three, [$near],
    ],
    'modules_get_many_6' => [
        'Modules: get many, six servers', $fifty, 'keys', new CallLoop(Calls::GetMany), $six, [$near],
    ],
    'modules_get_many_far' => [
        'Modules: get many, six far servers', $fifty, 'keys', new CallLoop(Calls::GetMany), 'raw@6 ' . $six, [$far],
    ],
    'modules_get_many_symfony' => [
        'Modules: get many by symfony/cache', $fifty, 'keys', new CallLoop(Calls::GetMany), $symfony, [$near],
    ],
    'modules_set_many' => ['Modules: set many', $fifty, 'keys', new CallLoop(Calls::SetMany), $pairs, [$near]],
    'modules_set_many_far' => [
        'Modules: set many, six far servers', $fifty, 'keys', new CallLoop(Calls::SetMany), 'raw@6 ' . $six, [$far],
    ],
    'modules_set_many_symfony' => [
        'Modules: set many by symfony/cache', $fifty, 'keys', new CallLoop(Calls::SetMany), $symfony, [$near],
    ],
    'modules_delete_many' => ['Modules: delete many', $fifty, 'keys', new CallLoop(Calls::DeleteMany), $pairs, [$near]],
    'modules_delete_many_far' => [
        'Modules: delete many, six far servers', $fifty, 'keys', new CallLoop(Calls::DeleteMany), 'raw@6 ' . $six,
        [$far],
    ],
    'modules_increment_many' => [
        'Modules: increment many', $fifty, 'keys', new CallLoop(Calls::IncrementMany), $pairs, [$near],
    ],
    'modules_increment_many_far' => [
        'Modules: increment many, six far servers', $fifty, 'keys', new CallLoop(Calls::IncrementMany), 'raw@6 ' . $six,
        [$far],
    ],
];
